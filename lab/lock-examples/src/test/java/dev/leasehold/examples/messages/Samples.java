package dev.leasehold.examples.messages;

import dev.leasehold.admin.HoldId;
import dev.leasehold.admin.Maintenance;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockStoreException;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/** Sample values for records, including durations and names with line breaks. */
final class Samples {
  static final Duration TIME = Duration.ofMillis(1500);
  static final String NAME = "a\nb";

  private Samples() {}

  static Object of(Class<?> record) throws ReflectiveOperationException {
    RecordComponent[] components = record.getRecordComponents();
    Object[] values = new Object[components.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(components[i].getGenericType());
    }
    Constructor<?> made =
        record.getDeclaredConstructor(
            Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
    made.setAccessible(true);
    return made.newInstance(values);
  }

  private static Object value(Type type) throws ReflectiveOperationException {
    if (type instanceof ParameterizedType generic) {
      Type[] of = generic.getActualTypeArguments();
      Class<?> raw = (Class<?>) generic.getRawType();
      if (raw == Optional.class) {
        return Optional.of(value(of[0]));
      }
      if (raw == List.class) {
        return List.of(value(of[0]));
      }
      if (raw == Set.class) {
        return Set.of(value(of[0]));
      }
      if (raw == Map.class) {
        return Map.of(value(of[0]), value(of[1]));
      }
    }
    return value((Class<?>) type);
  }

  private static Object value(Class<?> type) throws ReflectiveOperationException {
    if (type == Duration.class) {
      return TIME;
    }
    if (type == String.class) {
      return NAME;
    }
    if (type == int.class || type == Integer.class) {
      return 1;
    }
    if (type == long.class || type == Long.class) {
      return 1L;
    }
    if (type == double.class) {
      return 0.5;
    }
    if (type == boolean.class) {
      return true;
    }
    if (type == OptionalInt.class) {
      return OptionalInt.of(1);
    }
    if (type == OptionalLong.class) {
      return OptionalLong.of(1);
    }
    if (type == OptionalDouble.class) {
      return OptionalDouble.of(0.5);
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    if (type == Instant.class) {
      return Instant.EPOCH;
    }
    if (type == Maintenance.class) {
      return new Maintenance("restore", Instant.EPOCH);
    }
    if (type == HoldId.class) {
      return new HoldId("0123456789abcdef");
    }
    if (type.isRecord()) {
      return of(type);
    }
    if (type.isArray()) {
      return Array.newInstance(type.getComponentType(), 0);
    }
    if (type == LockException.class || type == LockStoreException.class) {
      return new LockStoreException(LockStoreException.Kind.REFUSED, "no");
    }
    if (type == Throwable.class) {
      return new IllegalStateException(NAME);
    }
    if (type.isInterface()) {
      return type.isSealed() ? of(type.getPermittedSubclasses()[0]) : stub(type);
    }
    throw new AssertionError("no sample of " + type);
  }

  private static Object stub(Class<?> type) {
    return Proxy.newProxyInstance(
        type.getClassLoader(), new Class<?>[] {type}, (proxy, method, values) -> "stub");
  }
}
