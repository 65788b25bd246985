package dev.leasehold.cli;

/**
 * Exit codes of the command itself, apart from those of the commands it runs. They are those of
 * {@code sysexits.h} where it has one that fits.
 */
final class ExitCode {
  static final int OK = 0;

  /** EX_USAGE: a wrong option, setting, name or value. */
  static final int USAGE = 64;

  /** EX_UNAVAILABLE: the store can't be reached, or refused. */
  static final int STORE = 69;

  /** EX_SOFTWARE. */
  static final int DEFECT = 70;

  /** EX_OSERR: the command could not be started. */
  static final int CANNOT_START = 71;

  /** EX_TEMPFAIL: the lock is held by others. Can be set by {@code -E}. */
  static final int CONTENDED = 75;

  /** EX_CONFIG: {@code doctor} found a problem. */
  static final int UNSOUND = 78;

  /** The lock was lost, or about to be, while the command ran. The first after sysexits' last. */
  static final int LOST = 79;

  private ExitCode() {}
}
