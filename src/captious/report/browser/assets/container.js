// The block of data, unpacked: see container.py, which packs it.

const ARRAYS = { f4: Float32Array, u1: Uint8Array, u2: Uint16Array, u4: Uint32Array };

/** The header and the columns of the block in the page. */
async function unpackData(text) {
  const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  return { header, columns: new Columns(bytes.subarray(4 + length)) };
}

function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const letters = atob(base64.trim());
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
  return bytes;
}

class Columns {
  constructor(bytes) {
    this.bytes = bytes;
  }

  raw({ type, at, count }) {
    return this.bytes.subarray(at, at + count * ARRAYS[type].BYTES_PER_ELEMENT);
  }

  /** Numbers, from planes of their bytes. */
  numbers(place) {
    const planes = this.raw(place);
    const numbers = new ARRAYS[place.type](place.count);
    const bytes = new Uint8Array(numbers.buffer);
    const width = numbers.BYTES_PER_ELEMENT;
    for (let plane = 0, from = 0; plane < width; plane++) {
      for (let to = plane; to < bytes.length; to += width) bytes[to] = planes[from++];
    }
    return numbers;
  }

  texts(place) {
    return place && new Texts(this.raw(place.letters), this.numbers(place.lengths));
  }

  ragged(place) {
    return place && new Ragged(this.numbers(place.values), this.numbers(place.lengths));
  }
}

function offsetsOf(lengths) {
  const offsets = new Uint32Array(lengths.length + 1);
  for (let at = 0; at < lengths.length; at++) offsets[at + 1] = offsets[at] + lengths[at];
  return offsets;
}

/** Distinct texts, sliced from one long text on access. */
class Texts {
  constructor(letters, lengths) {
    this.whole = new TextDecoder("utf-8", { ignoreBOM: true }).decode(letters);
    this.offsets = offsetsOf(lengths);
    this.count = lengths.length;
  }

  at(place) {
    return this.whole.slice(this.offsets[place], this.offsets[place + 1]);
  }
}

/** Rows of whole numbers. */
class Ragged {
  constructor(values, lengths) {
    this.values = values;
    this.offsets = offsetsOf(lengths);
  }

  at(row) {
    return this.values.subarray(this.offsets[row], this.offsets[row + 1]);
  }

  length(row) {
    return this.offsets[row + 1] - this.offsets[row];
  }
}
