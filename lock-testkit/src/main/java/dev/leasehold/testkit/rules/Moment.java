package dev.leasehold.testkit.rules;

import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Site;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandFault;
import dev.leasehold.testkit.proxy.CommandMatch;
import dev.leasehold.testkit.proxy.CommandProxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;

/**
 * The moment of an operation after a given number of commands, at which a fault can be injected.
 * Clients' housekeeping does not count. {@link Steps#atEachMoment} counts the number up from zero,
 * which covers every moment between two commands.
 */
final class Moment {
  /** No operation should send more commands than this. */
  static final int MOST = 16;

  /** The number of commands before it. */
  final int sent;

  private final Site site;
  private final CommandProxy proxy;

  Moment(Bench bench, int sent) {
    this.sent = sent;
    this.proxy = bench.proxy(bench.site());
    this.site = bench.site().by(proxy.uri());
  }

  /** The site whose commands are counted, by a proxy. */
  Site site() {
    return site;
  }

  /** Applies to the one command at this moment. */
  ActiveFault once(CommandFault fault) {
    return inject(number -> number == sent, fault);
  }

  /** Applies from this moment on. */
  ActiveFault fromNowOn(CommandFault fault) {
    return inject(number -> number >= sent, fault);
  }

  private ActiveFault inject(IntPredicate which, CommandFault fault) {
    return proxy.everyBy(
        () -> {
          AtomicInteger seen = new AtomicInteger();
          CommandMatch counted = command -> which.test(seen.getAndIncrement());
          return CommandMatch.housekeeping().negate().and(counted);
        },
        fault);
  }
}
