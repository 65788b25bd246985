package dev.leasehold.guice;

import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.Provider;
import org.jspecify.annotations.Nullable;

/** The injector's value for a key, looked up at first use. */
final class Bound<T> implements Provider<T> {
  private final Provider<Injector> injector;
  private final Key<T> key;
  private volatile @Nullable Provider<T> found;

  Bound(Provider<Injector> injector, Key<T> key) {
    this.injector = injector;
    this.key = key;
  }

  @Override
  public T get() {
    Provider<T> provider = found;
    if (provider == null) {
      provider = injector.get().getProvider(key);
      found = provider;
    }
    return provider.get();
  }
}
