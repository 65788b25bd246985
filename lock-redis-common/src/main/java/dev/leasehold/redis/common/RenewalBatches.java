package dev.leasehold.redis.common;

import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Renews many leases with few scripts. */
public final class RenewalBatches {
  private RenewalBatches() {}

  /**
   * A script's reply.
   *
   * @param replies one for each lease, for {@link Replies#lookedAt}
   * @param result a lease's result, by its index; may throw
   */
  public record Reply(List<?> replies, IntFunction<RenewResult> result) {}

  /**
   * As {@link dev.leasehold.lock.spi.LeaseStore#renew}.
   *
   * @param scripts renews a part of the batch; each reply is for {@link Replies#renew}
   */
  public static List<CompletionStage<RenewResult>> renew(
      RedisDriver redis,
      List<RenewRequest> batch,
      Function<List<RenewRequest>, ScriptRequest> scripts) {
    return renew(redis.takesManyKeys(), batch, part -> sent(redis, part, scripts.apply(part)));
  }

  private static CompletionStage<Reply> sent(
      RedisDriver redis, List<RenewRequest> part, ScriptRequest script) {
    return redis.send(
        new ScriptCall<>(
            FencedScripts.renewing(part),
            part.get(0).key().name(),
            script,
            reply -> {
              List<?> replies = (List<?>) reply;
              return new Reply(
                  replies,
                  i -> Replies.renew(replies.get(i), script.kind(), part.get(i).key().name()));
            },
            reply -> true));
  }

  /**
   * The same with scripts of any kind.
   *
   * @param takesManyKeys whether a script may renew several leases
   * @param send sends a script that renews a part of the batch. Leases that it leaves because it
   *     has run for long enough are sent again
   */
  public static List<CompletionStage<RenewResult>> renew(
      boolean takesManyKeys,
      List<RenewRequest> batch,
      Function<List<RenewRequest>, CompletionStage<Reply>> send) {
    int most = takesManyKeys ? FencedScripts.mostAtOnce() : 1;
    List<Part> stages = new ArrayList<>(batch.size());
    batch.forEach(request -> stages.add(new Part()));
    for (int from = 0; from < batch.size(); from += most) {
      int to = Math.min(batch.size(), from + most);
      send(batch.subList(from, to), send, stages.subList(from, to));
    }
    return List.copyOf(stages);
  }

  private static void send(
      List<RenewRequest> part,
      Function<List<RenewRequest>, CompletionStage<Reply>> send,
      List<Part> stages) {
    CompletionStage<Reply> call = send.apply(part);
    Sent sent = new Sent(call.toCompletableFuture(), stages);
    stages.forEach(stage -> stage.sent = sent);
    sent.withdrawIfGivenUp(); // while the rest of a batch was sent again
    call.whenComplete(
        (reply, failure) -> {
          int looked = failure == null ? looked(reply.replies(), part.size()) : part.size();
          for (int i = 0; i < looked; i++) {
            settle(stages.get(i), reply, failure, i);
          }
          List<Part> rest = stages.subList(looked, part.size());
          if (!rest.stream().allMatch(Part::isDone)) { // given up meanwhile
            send(part.subList(looked, part.size()), send, rest);
          }
        });
  }

  /** Leases missing in a reply that is too short fail: sending again would not help. */
  private static int looked(List<?> replies, int asked) {
    return replies.size() < asked ? asked : Replies.lookedAt(replies);
  }

  private static void settle(Part stage, Reply reply, @Nullable Throwable failure, int index) {
    if (failure != null) {
      stage.completeExceptionally(
          failure instanceof CompletionException && failure.getCause() != null
              ? failure.getCause()
              : failure);
      return;
    }
    try {
      stage.complete(reply.result().apply(index));
    } catch (RuntimeException e) {
      stage.completeExceptionally(e);
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
