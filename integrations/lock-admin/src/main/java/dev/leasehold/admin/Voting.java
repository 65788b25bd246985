package dev.leasehold.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.RunGuard;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.ScriptText;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Asks the nodes of a quorum whether they vote. Thread-safe. */
final class Voting {
  private static final ScriptText QUARANTINE =
      ScriptText.of(Script.HISTORY.body(), LuaCall.text("node-quarantine"));

  private final Servers nodes;
  private final LuaCall call;

  Voting(Servers nodes, LockSettings settings) {
    this.nodes = nodes;
    Duration out = RunGuard.staysOutFor(settings.get(AdminSettings.LONGEST_LEASE));
    byte[][] marker = {KeySpace.of(settings).marker()};
    call = LuaCall.of(QUARANTINE, marker, Long.toString(out.toMillis()).getBytes(UTF_8));
  }

  /** Returns the nodes in the order of the settings; none if there is one server. */
  List<VotingNode> nodes() {
    if (!nodes.isQuorum()) {
      return List.of();
    }
    return nodes.askAll(server -> server.run(call), "ask").stream()
        .map(
            answer ->
                new VotingNode(
                    nodes.address(answer.node()),
                    answer.why(),
                    answer.value() instanceof Long left ? Duration.ofMillis(left) : Duration.ZERO))
        .toList();
  }

  /** Returns whether the voting nodes are a quorum. */
  boolean isEnough(List<VotingNode> all) {
    return nodes.isEnough(
        IntStream.range(0, all.size()).filter(i -> all.get(i).votes()).boxed().toList());
  }
}
