package dev.leasehold.testkit.fault;

import dev.leasehold.testkit.Await;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Holds every caller until it is opened; then it stays open. Thread-safe. */
public final class Gate {
  private final CompletableFuture<Void> reached = new CompletableFuture<>();
  private final CompletableFuture<Void> opened = new CompletableFuture<>();

  /** A closed gate. */
  public Gate() {}

  CompletionStage<Void> pass() {
    reached.complete(null);
    return opened;
  }

  /** Waits until a call is held at the gate. */
  public void awaitReached() {
    Await.value(reached);
  }

  /** Whether a call has reached the gate. */
  public boolean isReached() {
    return reached.isDone();
  }

  /** Lets through the calls held here, and all later ones. */
  public void open() {
    opened.complete(null);
  }
}
