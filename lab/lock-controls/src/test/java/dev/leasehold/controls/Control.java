package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.RedisBackend;
import dev.leasehold.testkit.view.KeyLayout;
import dev.leasehold.testkit.view.ServerView;
import dev.leasehold.testkit.view.ValueForm;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A flawed scheme that the suite must catch. */
public abstract class Control implements BackendUnderTest {
  /** The guarantees that authors of locks with an owner and a TTL usually assume. */
  static final Set<Guarantee> OWNED_WITH_TTL =
      Set.of(Guarantee.OWNED, Guarantee.SERVER_EXPIRY, Guarantee.CLOCK_INDEPENDENT);

  private final ValueForm form;

  Control() {
    this(ValueForm.TOKEN);
  }

  Control(ValueForm form) {
    this.form = form;
  }

  /** All rules that it breaks in every run; the same as in the specification's matrix. */
  abstract List<String> breaks();

  /** Whether the matrix covers this rule for this control. */
  boolean concerns(String ruleId) {
    return !ruleId.startsWith("QU-");
  }

  /**
   * The rules of {@link #breaks()} that are about its flaw, and distinguish it from a sound lock.
   */
  abstract List<String> tells();

  /** Some rules that its flaw does not affect, except those named by {@link #breaks()}. */
  List<String> spares() {
    return List.of("EX-6", "LE-3", "RE-2", "LO-2", "IN-1");
  }

  /** The scheme in short, for instance "SETNX, PEXPIRE; DEL". */
  @Override
  public abstract String name();

  @Override
  public abstract LeaseStore open(String address);

  @Override
  public Reach reach() {
    return Reach.REDIS;
  }

  @Override
  public final Duration linger() {
    return form.linger();
  }

  @Override
  public Optional<ServerView> view(String address) {
    return new RedisBackend("none", KeyLayout.BARE_NAME, Map.of()).with(form).view(address);
  }

  @Override
  public String toString() {
    return name();
  }
}
