package dev.leasehold.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.Await;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A layout")
class LayoutTest extends OnOneServer {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis-set fenced",
        "redis-set plain",
        "redisson plain",
        "redis-setnx setnx-timestamp",
        "redis-setnx yii2",
        "redis-setnx redis-objects",
        "redis-setnx millis",
        "redis-setnx seconds"
      })
  @DisplayName("finds nothing else in a reply that has a lock")
  void lock(String format) throws Exception {
    String backend = format.split(" ")[0];
    String key = "lock." + backend + (backend.equals("redis-setnx") ? ".scheme" : ".mode");
    LockSettings settings = settings("lock.backend", backend, key, format.split(" ")[1]);
    process("one", settings).lock("orders").acquire();
    server.call("RPUSH", "lh:{orders}:permits", "x"); // a key of another kind
    Layout layout = AdminSettings.layout(settings);
    try (Servers nodes = Servers.open(settings)) {
      LuaCall call = layout.look("orders", LockDetails.MOST, LockDetails.MOST);
      Object reply = Await.value(Await.value(nodes.server(0)).run(call));
      assertFalse(layout.stored(reply).isEmpty());
      assertEquals(Optional.empty(), layout.other("orders", reply));
    }
  }
}
