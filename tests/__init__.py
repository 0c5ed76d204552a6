import os

# Test processes that run side by side use every core already: with threads of its own in each of
# them, BLAS would wait for cores. It reads this when NumPy is first imported.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
