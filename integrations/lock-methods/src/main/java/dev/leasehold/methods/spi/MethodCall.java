package dev.leasehold.methods.spi;

import org.jspecify.annotations.Nullable;

/** One intercepted call of a method. */
@SuppressWarnings("exports") // JSpecify's annotations are not needed at run time
public interface MethodCall {

  /** The arguments; {@link #proceed} passes on changes to this array. */
  @Nullable Object[] arguments();

  /**
   * Runs the method, once. If the method returns a {@link java.util.concurrent.CompletionStage} or
   * similar, this may run on another thread, after the caller has continued.
   *
   * @throws Throwable what the method throws
   */
  @Nullable Object proceed() throws Throwable;

  /**
   * The same call with its own copy of the arguments, to be run once more: if the method returns a
   * publisher, each subscription runs it. Returns this object by default, for frameworks whose
   * calls can be run repeatedly.
   */
  default MethodCall again() {
    return this;
  }

  /**
   * Called when the call returned by {@link #again} has ended, whether it ran or not. Does nothing
   * by default.
   */
  default void ended() {}
}
