package dev.leasehold.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.leasehold.lock.spi.LeaseStore;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The requirements on a store")
class SixMethodsTest {
  private static final List<String> SIX =
      List.of("acquire", "close", "guarantees", "inspect", "release", "renew");

  private static List<String> names(Method[] methods, Predicate<Method> which) {
    return Arrays.stream(methods).filter(which).map(Method::getName).sorted().toList();
  }

  @Test
  @DisplayName("is six methods, and stays so")
  void six() {
    assertEquals(
        SIX,
        names(LeaseStore.class.getMethods(), method -> Modifier.isAbstract(method.getModifiers())),
        "LeaseStore has six abstract methods: with another one, no store of a user's own compiles"
            + " any more. What a store can do beyond them is a default method, or an interface of"
            + " its own");
  }

  @Test
  @DisplayName("is all that the store has whose conformance is tested here")
  void nothingElse() {
    assertEquals(
        SIX,
        names(
            SixMethodsStore.class.getDeclaredMethods(),
            method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic()));
    assertArrayEquals(new Class<?>[] {LeaseStore.class}, SixMethodsStore.class.getInterfaces());
  }
}
