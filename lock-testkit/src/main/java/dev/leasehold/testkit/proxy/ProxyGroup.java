package dev.leasehold.testkit.proxy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A proxy in front of each server of a quorum; a fault applies to all of them. */
public final class ProxyGroup implements CommandProxy {
  private final List<RespProxy> proxies;

  /** A group of these proxies, which it closes. */
  public ProxyGroup(List<RespProxy> proxies) {
    this.proxies = List.copyOf(proxies);
  }

  @Override
  public String uri() {
    return proxies.stream().map(RespProxy::uri).collect(Collectors.joining(","));
  }

  @Override
  public ActiveFault every(CommandMatch match, CommandFault fault) {
    return onEach(proxy -> proxy.every(match, fault));
  }

  @Override
  public ActiveFault everyBy(Supplier<CommandMatch> match, CommandFault fault) {
    return onEach(proxy -> proxy.every(match.get(), fault));
  }

  @Override
  public ActiveFault next(int commands, CommandMatch match, CommandFault fault) {
    return onEach(proxy -> proxy.next(commands, match, fault));
  }

  private ActiveFault onEach(Function<RespProxy, ActiveFault> install) {
    return new All(proxies.stream().map(install).toList());
  }

  @Override
  public CommandCounts counts() {
    return most(proxies.stream().map(RespProxy::counts));
  }

  // Subtracts per server: a difference between the counts of two servers would be meaningless.
  @Override
  public Supplier<CommandCounts> counting() {
    List<Supplier<CommandCounts>> each = proxies.stream().map(RespProxy::counting).toList();
    return () -> most(each.stream().map(Supplier::get));
  }

  private static CommandCounts most(Stream<CommandCounts> each) {
    Map<String, Long> most = new TreeMap<>();
    each.forEach(
        counts -> counts.byName().forEach((name, count) -> most.merge(name, count, Math::max)));
    return new CommandCounts(most);
  }

  @Override
  public void close() {
    proxies.forEach(RespProxy::close);
  }

  /** The same fault in front of each server. */
  private record All(List<ActiveFault> faults) implements ActiveFault {
    @Override
    public int hits() {
      return faults.stream().mapToInt(ActiveFault::hits).max().orElse(0);
    }

    @Override
    public boolean awaitHits(int atLeast, Duration atMost) throws InterruptedException {
      // Sequential waits suffice: a fault on any server counts, and the parts add up to {@code
      // atMost}.
      Duration part = atMost.dividedBy(faults.size());
      for (ActiveFault fault : faults) {
        if (fault.awaitHits(atLeast, part)) {
          return true;
        }
      }
      return hits() >= atLeast;
    }

    @Override
    public void close() {
      faults.forEach(ActiveFault::close);
    }
  }
}
