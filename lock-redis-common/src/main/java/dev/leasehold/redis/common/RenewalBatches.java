package dev.leasehold.redis.common;

import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Renews many leases with few scripts. */
public final class RenewalBatches {
  private RenewalBatches() {}

  /**
   * As {@link dev.leasehold.lock.spi.LeaseStore#renew}.
   *
   * @param scripts renews a part of the batch; each reply is for {@link Replies#renew}
   */
  public static List<CompletionStage<RenewResult>> renew(
      RedisDriver redis,
      List<RenewRequest> batch,
      Function<List<RenewRequest>, ScriptRequest> scripts) {
    int most = redis.takesManyKeys() ? FencedScripts.mostAtOnce() : 1;
    List<Part> stages = new ArrayList<>(batch.size());
    batch.forEach(request -> stages.add(new Part()));
    for (int from = 0; from < batch.size(); from += most) {
      int to = Math.min(batch.size(), from + most);
      script(redis, batch.subList(from, to), scripts, stages.subList(from, to));
    }
    return List.copyOf(stages);
  }

  private static void script(
      RedisDriver redis,
      List<RenewRequest> part,
      Function<List<RenewRequest>, ScriptRequest> scripts,
      List<Part> stages) {
    ScriptRequest script = scripts.apply(part);
    CompletionStage<List<?>> call =
        redis.send(
            new ScriptCall<>(
                FencedScripts.renewing(part),
                part.get(0).key().name(),
                script,
                replies -> (List<?>) replies,
                replies -> true));
    Sent sent = new Sent(call.toCompletableFuture(), stages);
    stages.forEach(stage -> stage.sent = sent);
    sent.withdrawIfGivenUp(); // while the rest of a batch was sent again
    call.whenComplete(
        (replies, failure) -> {
          int looked = failure == null ? Replies.lookedAt(replies) : part.size();
          settle(script.kind(), part.subList(0, looked), stages, replies, failure);
          List<Part> rest = stages.subList(looked, part.size());
          if (!rest.stream().allMatch(Part::isDone)) { // given up meanwhile
            script(redis, part.subList(looked, part.size()), scripts, rest);
          }
        });
  }

  private static void settle(
      LockKind kind,
      List<RenewRequest> part,
      List<Part> stages,
      List<?> replies,
      Throwable failure) {
    for (int i = 0; i < part.size(); i++) {
      CompletableFuture<RenewResult> stage = stages.get(i);
      if (failure != null) {
        stage.completeExceptionally(
            failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure);
        continue;
      }
      try {
        stage.complete(Replies.renew(replies.get(i), kind, part.get(i).key().name()));
      } catch (RuntimeException e) {
        stage.completeExceptionally(e);
      }
    }
  }

  /** A script in flight, and the leases whose replies it brings. */
  private record Sent(CompletableFuture<?> call, List<Part> parts) {
    /** Once all its renewals have been given up. */
    void withdrawIfGivenUp() {
      if (parts.stream().allMatch(Part::isDone)) {
        call.cancel(true);
      }
    }
  }

  /** One lease's share of a script. */
  private static final class Part extends CompletableFuture<RenewResult> {
    private volatile @Nullable Sent sent;

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      boolean cancelled = super.cancel(mayInterruptIfRunning);
      Sent with = sent;
      if (with != null) {
        with.withdrawIfGivenUp();
      }
      return cancelled;
    }
  }
}
