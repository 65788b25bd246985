package dev.leasehold.guice;

import com.google.inject.AbstractModule;
import com.google.inject.Binding;
import com.google.inject.Injector;
import com.google.inject.Provider;
import com.google.inject.matcher.Matcher;
import com.google.inject.matcher.Matchers;
import com.google.inject.spi.ConstructorBinding;
import org.jspecify.annotations.Nullable;

/**
 * The bindings shared by all {@link LeaseholdModule}s of an injector; instances are equal, so that
 * it is installed once.
 */
final class SharedModule extends AbstractModule {

  @Override
  protected void configure() {
    bind(LockManagers.class).toInstance(new LockManagers());
    LockedTypes locked = new LockedTypes();
    bindListener(Matchers.any(), locked);
    bindListener(notMadeByGuice(), locked);
    Provider<Injector> injector = getProvider(Injector.class);
    Provider<LockedTypes> checked = () -> locked.check(injector.get());
    bind(LockedTypes.class).toProvider(checked).asEagerSingleton();
  }

  private static Matcher<Binding<?>> notMadeByGuice() {
    return binding -> !(binding instanceof ConstructorBinding);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SharedModule;
  }

  @Override
  public int hashCode() {
    return SharedModule.class.hashCode();
  }
}
