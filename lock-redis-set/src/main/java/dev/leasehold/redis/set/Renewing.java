package dev.leasehold.redis.set;

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

/** Renews many leases with few scripts. */
final class Renewing {
  private Renewing() {}

  static List<CompletionStage<RenewResult>> renew(
      Redis redis,
      List<RenewRequest> batch,
      Function<List<RenewRequest>, ScriptRequest> scripts,
      StoreOptions options) {
    int most = redis.takesManyKeys() ? FencedScripts.mostAtOnce() : 1;
    List<CompletionStage<RenewResult>> results = new ArrayList<>(batch.size());
    for (int from = 0; from < batch.size(); from += most) {
      script(
          redis,
          batch.subList(from, Math.min(batch.size(), from + most)),
          scripts,
          options,
          results);
    }
    return results;
  }

  private static void script(
      Redis redis,
      List<RenewRequest> part,
      Function<List<RenewRequest>, ScriptRequest> scripts,
      StoreOptions options,
      List<CompletionStage<RenewResult>> results) {
    Call<List<Object>, List<Object>> call =
        new ScriptCall<>(
            redis,
            FencedScripts.renewing(part),
            part.get(0).key().name(),
            scripts.apply(part),
            () -> new NestedMultiOutput<>(ByteArrayCodec.INSTANCE),
            replies -> replies);
    List<CompletableFuture<RenewResult>> stages = new ArrayList<>(part.size());
    for (int i = 0; i < part.size(); i++) {
      stages.add(new Part(call));
    }
    results.addAll(stages);
    call.whenComplete((replies, failure) -> settle(part, stages, replies, failure));
    if (options.asksReplicas()) {
      call.sendAcknowledged(acknowledged(options));
    } else {
      call.send();
    }
  }

  /** A renewal that too few replicas have does not count; what was written does no harm. */
  static Acknowledgement<Object> acknowledged(StoreOptions options) {
    return new Acknowledgement<>(
        options.replicas(), result -> true, () -> CompletableFuture.completedFuture(null));
  }

  private static void settle(
      List<RenewRequest> part,
      List<CompletableFuture<RenewResult>> stages,
      List<Object> replies,
      Throwable failure) {
    for (int i = 0; i < stages.size(); i++) {
      CompletableFuture<RenewResult> stage = stages.get(i);
      if (failure != null) {
        stage.completeExceptionally(
            failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure);
        continue;
      }
      try {
        stage.complete(Replies.renew(replies.get(i), part.get(i).key().name()));
      } catch (RuntimeException e) {
        stage.completeExceptionally(e);
      }
    }
  }

  /** One lease's share. The engine times out all of a batch together, so one withdraws it. */
  private static final class Part extends CompletableFuture<RenewResult> {
    private final CompletableFuture<?> call;

    Part(CompletableFuture<?> call) {
      this.call = call;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      call.cancel(mayInterruptIfRunning);
      return super.cancel(mayInterruptIfRunning);
    }
  }
}
