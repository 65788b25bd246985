package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.Recipe;
import dev.leasehold.testkit.RedisBackend;
import dev.leasehold.testkit.view.KeyLayout;
import dev.leasehold.testkit.view.ServerView;
import dev.leasehold.testkit.view.ValueForm;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** A flawed scheme that the suite must catch; a row of the specification's matrix. */
class Control implements BackendUnderTest {
  private final String name;
  private final Rules broken;
  private final Function<String, LeaseStore> store;
  private String concerns = "(?!QU-).*";
  private List<String> spares = List.of("EX-6", "LE-3", "RE-2", "LO-2", "IN-1");
  private ValueForm form = ValueForm.TOKEN;

  /**
   * The rules that a control breaks.
   *
   * @param all those that it breaks in every run; the same as in the specification's matrix
   * @param telling those of them that are about its flaw, and distinguish it from a sound lock
   */
  record Rules(List<String> all, List<String> telling) {
    static Rules breaks(String... all) {
      return new Rules(List.of(all), List.of(all));
    }

    /** The same, of which only these are about the flaw. */
    Rules toldBy(String... some) {
      return new Rules(all, List.of(some));
    }
  }

  /**
   * A scheme on the kit's Redis server.
   *
   * @param name the scheme in short, for instance "SETNX, PEXPIRE; DEL"
   * @param store opens a store at an address
   */
  Control(String name, Rules broken, Function<String, LeaseStore> store) {
    this.name = name;
    this.broken = broken;
    this.store = store;
  }

  /** A read/write lock; its plain lock is sound. */
  static Control sides(String name, Rules broken, Function<String, LeaseStore> store) {
    return new Control(name, broken, store).concerning("RW-.*").sparing("RW-1", "RW-3", "RW-5");
  }

  /** A semaphore; its plain lock is sound. */
  static Control permits(String name, Rules broken, Function<String, LeaseStore> store) {
    return new Control(name, broken, store).concerning("SE-.*").sparing("SE-1", "SE-3", "SE-8");
  }

  /** The matrix covers only rules that match this for this control. */
  final Control concerning(String rules) {
    concerns = rules;
    return this;
  }

  /** Some rules that its flaw does not affect, except those that it breaks. */
  final Control sparing(String... rules) {
    spares = List.of(rules);
    return this;
  }

  /** The values of its keys have this format. */
  final Control writing(ValueForm values) {
    form = values;
    return this;
  }

  final List<String> breaks() {
    return broken.all();
  }

  final List<String> tells() {
    return broken.telling();
  }

  final List<String> spares() {
    return spares.stream().filter(id -> !breaks().contains(id)).toList();
  }

  /** Whether the matrix covers this rule for this control. */
  final boolean concerns(String ruleId) {
    return ruleId.matches(concerns);
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final LeaseStore open(String address) {
    return store.apply(address);
  }

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
  public final String recipe() {
    return Recipe.ofNamed(Controls.class, name);
  }

  @Override
  public final String toString() {
    return name;
  }
}
