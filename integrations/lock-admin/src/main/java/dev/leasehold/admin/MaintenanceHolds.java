package dev.leasehold.admin;

import dev.leasehold.admin.Layout.Taking;
import dev.leasehold.admin.Servers.Answer;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.NodeVoter;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Acquires names for maintenance. */
final class MaintenanceHolds {
  private static final int SECRET_BYTES = 16;

  private final Servers nodes;
  private final Layout layout;
  private final Showing showing;
  private final HoldBreaker breaker;
  private final KeySpace space;
  private final NodeVoter voter;
  private final SecureRandom random = new SecureRandom();

  MaintenanceHolds(
      Servers nodes, Layout layout, Showing showing, HoldBreaker breaker, LockSettings settings) {
    this.nodes = nodes;
    this.layout = layout;
    this.showing = showing;
    this.breaker = breaker;
    this.space = KeySpace.of(settings);
    this.voter = new NodeVoter(settings.get(AdminSettings.LONGEST_LEASE), space);
  }

  MaintainResult maintain(String name, Maintenance why, Instant now) {
    Duration ttl = Duration.between(now, why.until());
    if (ttl.toMillis() < 1 || ttl.compareTo(LockOptions.LONGEST_LEASE) > 0) {
      throw new IllegalArgumentException(
          "until "
              + why.until()
              + " is not between now and "
              + Setting.written(LockOptions.LONGEST_LEASE)
              + " from now");
    }
    LeaseKey lease = new LeaseKey(name, token(why));
    if (taking(lease, ttl, "").isEmpty()) {
      return new MaintainResult.NotPossible(
          "Locks of this format can't be held for maintenance: "
              + (nodes.isQuorum()
                  ? "on nodes of a quorum only the formats of redis-set can."
                  : "their value has no room for a reason."));
    }
    List<Answer<AcquireResult>> answers =
        nodes.askAll(server -> acquire(lease, ttl, server), "take a lock for maintenance at");
    List<Integer> granted = new ArrayList<>();
    for (Answer<AcquireResult> answer : answers) {
      if (answer.value() instanceof Granted) {
        granted.add(answer.node());
      }
    }
    boolean enough = nodes.isEnough(granted);
    if (!enough) {
      giveBack(lease, answers);
    } else if (nodes.isQuorum()) {
      raise(lease, answers);
    }
    Showing.Seen seen = showing.look(name);
    HoldId mine = HoldId.of(lease.token());
    Optional<Merge.Found> taken = seen.find(mine);
    if (enough && taken.isPresent()) {
      return new MaintainResult.Taken(taken.get().hold());
    }
    List<ListedHold> others =
        seen.holds().stream().map(Merge.Found::hold).filter(h -> !h.id().equals(mine)).toList();
    return others.isEmpty() ? tooFew(answers) : new MaintainResult.Refused(others);
  }

  private Optional<Taking> taking(LeaseKey lease, Duration ttl, String runId) {
    return nodes.isQuorum() ? layout.vote(lease, ttl, voter, runId) : layout.take(lease, ttl);
  }

  /** Acquires it on one node. A node of a quorum that may have forgotten locks refuses. */
  private CompletableFuture<AcquireResult> acquire(LeaseKey lease, Duration ttl, Server server) {
    CompletableFuture<String> run =
        nodes.isQuorum() ? server.runId() : CompletableFuture.completedFuture("");
    return run.thenCompose(
        id -> {
          Taking taking = taking(lease, ttl, id).orElseThrow();
          return server.run(taking.call()).thenApply(taking.meaning());
        });
  }

  /** Writes the largest vote to all nodes, so that later tokens are larger whichever nodes vote. */
  private void raise(LeaseKey lease, List<Answer<AcquireResult>> answers) {
    long largest = 0;
    for (Answer<AcquireResult> answer : answers) {
      if (answer.value() instanceof Granted grant) {
        largest = Math.max(largest, grant.fence().orElse(0));
      }
    }
    if (largest > 0) {
      LuaCall raise = LuaCall.of(FencedScripts.raise(lease, largest, 0, space));
      nodes.askAll(server -> server.run(raise), "raise a fence at");
    }
  }

  /** Releases what was granted, including by nodes whose answer was lost. */
  private void giveBack(LeaseKey lease, List<Answer<AcquireResult>> answers) {
    breaker.release(lease.name(), lease.token());
    if (!nodes.isQuorum() && answers.get(0).failure() != null) {
      throw answers.get(0).failure();
    }
  }

  private MaintainResult tooFew(List<Answer<AcquireResult>> answers) {
    Servers.throwIfAllFailed(answers);
    return new MaintainResult.TooFewNodes(
        answers.stream().map(answer -> nodes.state(answer, List.of())).toList());
  }

  BreakResult end(String name) {
    Showing.Seen seen = showing.look(name);
    for (Merge.Found found : seen.holds()) {
      if (found.hold().state() == HoldState.MAINTENANCE) {
        return breaker.breakLock(name, found.hold().id());
      }
    }
    return seen.heldByOthers();
  }

  private String token(Maintenance why) {
    byte[] secret = new byte[SECRET_BYTES];
    random.nextBytes(secret);
    return why.label() + ":" + Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
  }
}
