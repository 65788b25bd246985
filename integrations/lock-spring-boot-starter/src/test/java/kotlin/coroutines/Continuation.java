package kotlin.coroutines;

/**
 * As Kotlin's standard library has it, in name: what its compiler gives every {@code suspend}
 * function as last parameter.
 *
 * @param <T> what the function returns
 */
public interface Continuation<T> {
  /** Goes on. */
  void resumeWith(Object result);
}
