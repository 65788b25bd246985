package dev.leasehold.testkit.worker;

/** A failure in a worker JVM, or the loss of the JVM. */
public final class WorkerFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final String type;

  WorkerFailure(String type, String message) {
    super(type + " in a worker: " + message);
    this.type = type;
  }

  /**
   * The simple name of the exception thrown there: "LeaseLostException"; "Gone" if the JVM has
   * ended.
   */
  public String type() {
    return type;
  }
}
