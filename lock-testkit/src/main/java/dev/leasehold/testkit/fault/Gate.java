package dev.leasehold.testkit.fault;

import dev.leasehold.testkit.Await;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Holds whatever comes to it until it is opened; then it stays open. Thread-safe. */
public final class Gate {
  private final CompletableFuture<Void> reached = new CompletableFuture<>();
  private final CompletableFuture<Void> opened = new CompletableFuture<>();

  /** A closed gate. */
  public Gate() {}

  CompletionStage<Void> pass() {
    reached.complete(null);
    return opened;
  }

  /** Waits until something stands at the gate. */
  public void awaitReached() {
    Await.value(reached);
  }

  /** Whether something has come to it. */
  public boolean isReached() {
    return reached.isDone();
  }

  /** Lets through what stands there, and whatever comes. */
  public void open() {
    opened.complete(null);
  }
}
