package dev.leasehold.testkit.proxy;

import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.ServerGroup;
import java.util.function.Supplier;

/**
 * A proxy between a backend and its server, or between a quorum and each of its servers, that
 * injects faults into single commands. Thread-safe.
 */
public interface CommandProxy extends AutoCloseable {

  /** In front of a server, or of each server of a group. Does not close them. */
  static CommandProxy inFrontOf(RedisServer server) {
    return server instanceof ServerGroup group
        ? new ProxyGroup(group.servers().stream().map(RespProxy::inFrontOf).toList())
        : RespProxy.inFrontOf(server);
  }

  /** The address for clients; for a quorum all addresses, separated by commas. */
  String uri();

  /**
   * Applies a fault to every matching command until the fault is closed. If several faults match,
   * all apply, in the order in which they were set.
   */
  ActiveFault every(CommandMatch match, CommandFault fault);

  /**
   * As above, with a stateful match.
   *
   * @param match creates one match per server
   */
  ActiveFault everyBy(Supplier<CommandMatch> match, CommandFault fault);

  /**
   * Applies a fault to the next matching commands, on each server. Held commands and silenced
   * connections stay so until the fault is closed.
   *
   * @param commands how many; at least 1
   */
  ActiveFault next(int commands, CommandMatch match, CommandFault fault);

  /**
   * The number of commands that clients have sent so far; of several servers, the highest number
   * for each command.
   */
  CommandCounts counts();

  /**
   * Starts counting: the result supplies the number of commands sent since then; of several
   * servers, the highest number for each command.
   */
  Supplier<CommandCounts> counting();

  /** Closes the proxy. Does not throw. */
  @Override
  void close();
}
