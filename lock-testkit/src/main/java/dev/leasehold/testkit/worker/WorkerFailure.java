package dev.leasehold.testkit.worker;

/** Something failed in a worker JVM, or the JVM is gone. */
public final class WorkerFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final String type;

  WorkerFailure(String type, String message) {
    super(type + " in a worker: " + message);
    this.type = type;
  }

  /** Simple name of what was thrown there: "LeaseLostException"; "Gone" if the JVM has ended. */
  public String type() {
    return type;
  }
}
