package dev.leasehold.methods.spi;

import org.jspecify.annotations.Nullable;

/** One call of a method, held up before it runs. */
@SuppressWarnings("exports") // JSpecify's annotations are not needed at run time
public interface MethodCall {

  /** The arguments; what is written into it, {@link #proceed} passes on. */
  @Nullable Object[] arguments();

  /**
   * Runs the method, once. Where it returns a {@link java.util.concurrent.CompletionStage}, maybe
   * on another thread, after the caller has gone on.
   *
   * @throws Throwable what the method throws
   */
  @Nullable Object proceed() throws Throwable;
}
