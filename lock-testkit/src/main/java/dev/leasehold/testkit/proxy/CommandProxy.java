package dev.leasehold.testkit.proxy;

import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.ServerGroup;
import java.util.function.Supplier;

/**
 * What stands between a backend and its server, or between a quorum and each of its servers, and
 * does to single commands what a test asks for. Thread-safe.
 */
public interface CommandProxy extends AutoCloseable {

  /** In front of a server, or in front of each of a group. It does not close them. */
  static CommandProxy inFrontOf(RedisServer server) {
    return server instanceof ServerGroup group
        ? new ProxyGroup(group.servers().stream().map(RespProxy::inFrontOf).toList())
        : RespProxy.inFrontOf(server);
  }

  /** Where clients connect to; of a quorum all, separated by commas. */
  String uri();

  /**
   * Does something to every command that matches, until the fault is closed. Where several faults
   * match, all of them apply, in the order in which they were given.
   */
  ActiveFault every(CommandMatch match, CommandFault fault);

  /**
   * The same by a match that keeps count.
   *
   * @param match makes one for each server
   */
  ActiveFault everyBy(Supplier<CommandMatch> match, CommandFault fault);

  /**
   * Does something to the next commands that match, on each server. What it holds back or has made
   * silent stays so until the fault is closed.
   *
   * @param commands how many; at least 1
   */
  ActiveFault next(int commands, CommandMatch match, CommandFault fault);

  /** How many commands clients have sent so far, to the server that got most of each kind. */
  CommandCounts counts();

  /**
   * Begins to count: it tells how many commands clients have sent since then, to the server that
   * got most of each kind in that time.
   */
  Supplier<CommandCounts> counting();

  /** Ends it. Does not throw. */
  @Override
  void close();
}
