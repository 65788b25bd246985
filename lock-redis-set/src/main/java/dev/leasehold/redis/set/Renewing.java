package dev.leasehold.redis.set;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.redis.common.Replies;
import dev.leasehold.redis.common.Script;
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
  /** Keeps one script around half a millisecond, so that it delays no other command much. */
  private static final int MOST_AT_ONCE = 250;

  private Renewing() {}

  static List<CompletionStage<RenewResult>> renew(
      Redis redis, List<RenewRequest> batch, Function<String, byte[]> keyOf, StoreOptions options) {
    int most = redis.takesManyKeys() ? MOST_AT_ONCE : 1;
    List<CompletionStage<RenewResult>> results = new ArrayList<>(batch.size());
    for (int from = 0; from < batch.size(); from += most) {
      script(
          redis, batch.subList(from, Math.min(batch.size(), from + most)), keyOf, options, results);
    }
    return results;
  }

  private static void script(
      Redis redis,
      List<RenewRequest> part,
      Function<String, byte[]> keyOf,
      StoreOptions options,
      List<CompletionStage<RenewResult>> results) {
    byte[][] keys = new byte[part.size()][];
    byte[][] arguments = new byte[2 * part.size()][];
    for (int i = 0; i < part.size(); i++) {
      RenewRequest request = part.get(i);
      keys[i] = keyOf.apply(request.key().name());
      arguments[2 * i] = request.key().token().getBytes(US_ASCII);
      arguments[2 * i + 1] = Long.toString(request.ttl().toMillis()).getBytes(US_ASCII);
    }
    String first = part.get(0).key().name();
    String names = part.size() == 1 ? first : first + "' and " + (part.size() - 1) + " more, '";
    Call<List<Object>, List<Object>> call =
        new ScriptCall<>(
            redis,
            "renew",
            names,
            Script.RENEW,
            keys,
            arguments,
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
