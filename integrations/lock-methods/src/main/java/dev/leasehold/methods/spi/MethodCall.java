package dev.leasehold.methods.spi;

import org.jspecify.annotations.Nullable;

/** One call of a method, held up before it runs. */
@SuppressWarnings("exports") // JSpecify's annotations are not needed at run time
public interface MethodCall {

  /** The arguments; what is written into it, {@link #proceed} passes on. */
  @Nullable Object[] arguments();

  /**
   * Runs the method, once. Where it does not return its outcome itself, but a {@link
   * java.util.concurrent.CompletionStage} of it or the like, maybe on another thread, after the
   * caller has gone on.
   *
   * @throws Throwable what the method throws
   */
  @Nullable Object proceed() throws Throwable;

  /**
   * The same call to be run once more, with arguments of its own: where the method returns a
   * publisher, each who subscribes to it is a run. This one itself by default, for frameworks whose
   * calls can be run again.
   */
  default MethodCall again() {
    return this;
  }

  /** What {@link #again} gave is over, whether it ran or not. Does nothing by default. */
  default void ended() {}
}
