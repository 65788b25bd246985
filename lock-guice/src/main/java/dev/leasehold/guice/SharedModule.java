package dev.leasehold.guice;

import com.google.inject.AbstractModule;

/** What all {@link LeaseholdModule}s of an injector share; equal, so that it is installed once. */
final class SharedModule extends AbstractModule {

  @Override
  protected void configure() {
    bind(LockManagers.class).toInstance(new LockManagers());
  }

  @Override
  public boolean equals(@org.jspecify.annotations.Nullable Object other) {
    return other instanceof SharedModule;
  }

  @Override
  public int hashCode() {
    return SharedModule.class.hashCode();
  }
}
