package dev.leasehold.redisson;

import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.Replies;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Renews leases of one kind, many by one script. Thread-safe. */
final class RedissonRenewals {
  private final Client client;
  private final Scripts scripts;
  private final RedissonScript script;
  private final LockKind kind;
  private final Function<LeaseKey, List<String>> keys;
  private final Function<LeaseKey, String> holder;

  /**
   * With a script whose arguments are each lease's keys, holder and time to live, and whether
   * replicas are required.
   */
  RedissonRenewals(
      Client client,
      Scripts scripts,
      RedissonScript script,
      LockKind kind,
      Function<LeaseKey, List<String>> keys,
      Function<LeaseKey, String> holder) {
    this.client = client;
    this.scripts = scripts;
    this.script = script;
    this.kind = kind;
    this.keys = keys;
    this.holder = holder;
  }

  /**
   * As many leases as one script may have share a call; in a cluster each has its own, since their
   * slots differ. Leases that a script leaves because it has run for long enough are sent again.
   */
  List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    int most = client.isCluster() ? 1 : FencedScripts.mostAtOnce();
    List<CompletableFuture<RenewResult>> results = new ArrayList<>(batch.size());
    batch.forEach(request -> results.add(new CompletableFuture<>()));
    for (int from = 0; from < batch.size(); from += most) {
      int to = Math.min(batch.size(), from + most);
      send(batch.subList(from, to), results.subList(from, to));
    }
    return List.copyOf(results);
  }

  private void send(List<RenewRequest> part, List<CompletableFuture<RenewResult>> results) {
    CompletionStage<Answer<List<Object>>> answers;
    try {
      answers = renewAll(part);
    } catch (RuntimeException e) { // such as after the client's shutdown
      results.forEach(result -> result.completeExceptionally(e));
      return;
    }
    answers.whenComplete(
        (answer, failure) -> {
          int looked = failure == null ? looked(answer.reply(), part.size()) : part.size();
          for (int i = 0; i < looked; i++) {
            settle(results.get(i), answer, failure, i, part.get(i).key().name());
          }
          List<CompletableFuture<RenewResult>> rest = results.subList(looked, part.size());
          if (!rest.stream().allMatch(CompletableFuture::isDone)) { // given up meanwhile
            send(part.subList(looked, part.size()), rest);
          }
        });
  }

  /** Leases missing in a reply that is too short fail: sending again would not help. */
  private static int looked(List<?> replies, int asked) {
    return replies.size() < asked ? asked : Replies.lookedAt(replies);
  }

  private void settle(
      CompletableFuture<RenewResult> result,
      @Nullable Answer<List<Object>> answer,
      @Nullable Throwable failure,
      int index,
      String name) {
    if (answer == null) {
      result.completeExceptionally(Objects.requireNonNull(failure));
      return;
    }
    try {
      result.complete(renewed(answer, index, name));
    } catch (RuntimeException e) {
      result.completeExceptionally(e);
    }
  }

  /** A renewal that no replica has does not count; the write does no harm. */
  private RenewResult renewed(Answer<List<Object>> answer, int index, String name) {
    RenewResult result = Replies.renew(answer.reply().get(index), kind, name);
    if (result == RenewResult.RENEWED && answer.doubt().isPresent()) {
      throw answer.doubt().get();
    }
    return result;
  }

  private CompletionStage<Answer<List<Object>>> renewAll(List<RenewRequest> part) {
    List<String> all = new ArrayList<>();
    List<String> arguments = new ArrayList<>(2 * part.size() + 1);
    for (RenewRequest request : part) {
      all.addAll(keys.apply(request.key()));
      arguments.add(holder.apply(request.key()));
      arguments.add(Long.toString(request.ttl().toMillis()));
    }
    arguments.add(scripts.asksReplicas() ? "1" : "0");
    RedissonScriptCall call =
        new RedissonScriptCall(
            script, FencedScripts.renewing(part), kind, part.get(0).key().name(), all, arguments);
    return scripts.replicatedList(
        call,
        answer -> {
          List<Object> replies = answer.reply() == null ? List.of() : answer.reply();
          return CompletableFuture.completedFuture(new Answer<>(replies, answer.doubt()));
        });
  }
}
