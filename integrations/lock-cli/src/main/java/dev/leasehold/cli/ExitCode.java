package dev.leasehold.cli;

/**
 * Exit codes of {@code leasehold} itself, distinct from those of the commands it runs. They follow
 * {@code sysexits.h} where it has a matching one.
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

  /** EX_TEMPFAIL: the lock is held by others. {@code -E} changes it. */
  static final int CONTENDED = 75;

  /** EX_CONFIG: {@code doctor} found a problem. */
  static final int UNSOUND = 78;

  /**
   * The lock was lost, or about to be lost, while the command ran. The first code above those of
   * sysexits.
   */
  static final int LOST = 79;

  private ExitCode() {}
}
