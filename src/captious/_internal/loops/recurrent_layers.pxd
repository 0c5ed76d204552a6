# C types of recurrent_layers.py.
cimport cython
from libc.stdint cimport int64_t

@cython.locals(
    size=cython.Py_ssize_t, own=cython.Py_ssize_t, following=cython.Py_ssize_t,
    sentence=cython.Py_ssize_t, k=cython.Py_ssize_t, word=int64_t, earlier=int64_t,
)
cpdef void add_word_gates(
    const float[:, ::1] table, Py_ssize_t way, const int64_t[::1] words,
    const int64_t[::1] before, float[:, ::1] gates,
)

@cython.locals(
    width=cython.Py_ssize_t, first=cython.Py_ssize_t, sentence=cython.Py_ssize_t,
    k=cython.Py_ssize_t, new=float, old=float, change=float, cell=float, one=float, half=float,
)
cpdef void update_word_cells(
    const float[:, ::1] gates, float[:, ::1] cells, float[:, :, ::1] states, Py_ssize_t step,
    Py_ssize_t way,
)

@cython.locals(
    width=cython.Py_ssize_t, sentence=cython.Py_ssize_t, k=cython.Py_ssize_t, added=float,
    kept=float, one=float, half=float,
)
cpdef void update_lstm_cells(const float[:, ::1] gates, float[:, ::1] cells)

@cython.locals(
    width=cython.Py_ssize_t, first=cython.Py_ssize_t, sentence=cython.Py_ssize_t,
    k=cython.Py_ssize_t, state=float, one=float,
)
cpdef void write_lstm_states(
    const float[:, ::1] gates, const float[:, ::1] opened, float[:, ::1] read,
    Py_ssize_t depth, float[:, :, ::1] states, Py_ssize_t step, Py_ssize_t way,
)
