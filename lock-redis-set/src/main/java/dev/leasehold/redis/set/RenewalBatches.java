package dev.leasehold.redis.set;

import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.Replies;
import dev.leasehold.redis.common.ScriptRequest;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Renews many leases with few scripts. */
final class RenewalBatches {
  private RenewalBatches() {}

  static List<CompletionStage<RenewResult>> renew(
      LettuceRedis redis,
      List<RenewRequest> batch,
      Function<List<RenewRequest>, ScriptRequest> scripts,
      StoreOptions options) {
    int most = redis.takesManyKeys() ? FencedScripts.mostAtOnce() : 1;
    List<Part> stages = new ArrayList<>(batch.size());
    batch.forEach(request -> stages.add(new Part()));
    for (int from = 0; from < batch.size(); from += most) {
      int to = Math.min(batch.size(), from + most);
      script(redis, batch.subList(from, to), scripts, options, stages.subList(from, to));
    }
    return List.copyOf(stages);
  }

  private static void script(
      LettuceRedis redis,
      List<RenewRequest> part,
      Function<List<RenewRequest>, ScriptRequest> scripts,
      StoreOptions options,
      List<Part> stages) {
    Call<List<Object>, List<Object>> call =
        new LettuceScriptCall<>(
            redis,
            FencedScripts.renewing(part),
            part.get(0).key().name(),
            scripts.apply(part),
            () -> new NestedMultiOutput<>(ByteArrayCodec.INSTANCE),
            replies -> replies);
    Sent sent = new Sent(call, stages);
    stages.forEach(stage -> stage.sent = sent);
    call.whenComplete(
        (replies, failure) -> {
          int looked = failure == null ? Replies.lookedAt(replies) : part.size();
          settle(call.kind(), part.subList(0, looked), stages, replies, failure);
          List<Part> rest = stages.subList(looked, part.size());
          if (!rest.stream().allMatch(Part::isDone)) { // given up meanwhile
            script(redis, part.subList(looked, part.size()), scripts, options, rest);
          }
        });
    call.send(options, replies -> true);
  }

  private static void settle(
      LockKind kind,
      List<RenewRequest> part,
      List<Part> stages,
      List<Object> replies,
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
    /** Withdraws the script once all its renewals have been given up. */
    void givenUp() {
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
        with.givenUp();
      }
      return cancelled;
    }
  }
}
