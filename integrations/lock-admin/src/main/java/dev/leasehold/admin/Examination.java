package dev.leasehold.admin;

import dev.leasehold.admin.Finding.Level;
import dev.leasehold.admin.Finding.Topic;
import dev.leasehold.admin.Servers.Answer;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.redis.common.RedisSettings;
import io.lettuce.core.KeyScanArgs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Inspects all servers of the settings, and judges the results. */
final class Examination {
  private final Servers nodes;
  private final Voting voting;
  private final Duration commandTimeout;
  private final int replicas;
  private final boolean cluster;
  private final boolean evictionAllowed;

  Examination(Servers nodes, Voting voting, LockSettings settings) {
    this.nodes = nodes;
    this.voting = voting;
    this.commandTimeout = settings.get(AdminSettings.COMMAND_TIMEOUT);
    this.replicas = settings.get(AdminSettings.WAIT_REPLICAS);
    this.cluster = Servers.isCluster(settings);
    this.evictionAllowed = settings.get(RedisSettings.ALLOW_EVICTION);
  }

  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    Duration budget = commandTimeout.dividedBy(4);
    for (Answer<List<ServerFacts>> answer :
        nodes.askAll(server -> server.facts(budget), "examine")) {
      if (answer.failure() != null) {
        findings.add(failed(answer));
        continue;
      }
      for (ServerFacts facts : Objects.requireNonNull(answer.value())) {
        findings.addAll(new Judgement(facts, terms()).findings());
      }
    }
    findings.addAll(rights());
    findings.addAll(quorum());
    return findings;
  }

  /** Judges the nodes of a quorum as a whole; returns nothing for one server. */
  private List<Finding> quorum() {
    List<VotingNode> all = voting.nodes();
    List<Finding> findings = new ArrayList<>();
    for (VotingNode node : all) {
      if (!node.quarantine().isZero()) {
        findings.add(
            new Finding(
                Level.WARNING,
                Topic.QUORUM,
                node.node(),
                "The node does not vote for another "
                    + node.quarantine().toMillis()
                    + " ms: it was restarted, or lost data, and may have forgotten locks",
                "Wait, and leave the other nodes running meanwhile."));
      }
    }
    if (!all.isEmpty()) {
      findings.add(together(all));
    }
    return findings;
  }

  private Finding together(List<VotingNode> all) {
    long votes = all.stream().filter(VotingNode::votes).count();
    String text = votes + " of " + all.size() + " nodes vote";
    return voting.isEnough(all)
        ? Finding.ok(Topic.QUORUM, "", text)
        : new Finding(
            Level.PROBLEM,
            Topic.QUORUM,
            "",
            text + ", which is no quorum",
            "No lock can be acquired until a majority of the nodes votes.");
  }

  private Judgement.Terms terms() {
    return new Judgement.Terms(
        nodes.isQuorum(), cluster, commandTimeout, replicas, evictionAllowed);
  }

  private Finding failed(Answer<?> answer) {
    return new Finding(
        nodes.isQuorum() ? Level.WARNING : Level.PROBLEM,
        Topic.SERVER,
        nodes.address(answer.node()),
        answer.why().orElse(""),
        "Check that it runs, its address, the network, and that the user may run INFO and TIME.");
  }

  /** Checks the permissions that only this tool needs; applications need others. */
  private List<Finding> rights() {
    List<Finding> findings = new ArrayList<>();
    KeyScanArgs few = KeyScanArgs.Builder.limit(1).match("leasehold-doctor");
    findings.addAll(
        right(
            "CLIENT LIST",
            "Without it, show can't tell where holders are connected from.",
            server -> server.clientList()));
    findings.addAll(
        right(
            "SCAN",
            "Without it, ls, watch and wait-graph find nothing.",
            server -> server.firstScan(few)));
    return findings;
  }

  private List<Finding> right(
      String command, String without, Function<Server, CompletableFuture<?>> ask) {
    List<Finding> findings = new ArrayList<>();
    for (Answer<Boolean> answer :
        nodes.askAll(
            server -> ask.apply(server).thenApply(done -> true), "run " + command + " on")) {
      LockStoreException failure = answer.failure();
      if (failure != null && failure.kind() == LockStoreException.Kind.REFUSED) {
        findings.add(
            new Finding(
                Level.NOTICE,
                Topic.RIGHTS,
                nodes.address(answer.node()),
                "The user may not run " + command + ". " + without,
                "Permit it to the operators' user: ACL SETUSER ... +" + acl(command)));
      }
    }
    return findings;
  }

  private static String acl(String command) {
    return command.toLowerCase(Locale.ROOT).replace(' ', '|');
  }
}
