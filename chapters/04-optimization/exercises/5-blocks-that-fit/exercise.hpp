#pragma once

/// What one multiprocessor has to give.
struct multiprocessor {
  int threads;    ///< that may be resident
  int blocks;     ///< that may be resident
  int registers;  ///< 32-bit registers, handed out to each warp in pieces of 256
  int shared;     ///< bytes of shared memory, handed out to each block in pieces of 128
};

/// What one block asks for.
struct block_needs {
  int threads;               ///< 1 to 1024; warps are whole, 32 lanes each
  int registers_per_thread;  ///< as the compiler says
  int shared;                ///< bytes, the system's own share included
};

/// Blocks of this kind that one multiprocessor holds at once; 0 when not even one fits.
int blocks_that_fit(const multiprocessor& sm, const block_needs& block);
