package dev.leasehold.methods.spi;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Resolves the types of a class's methods in that class: a {@code T} in a method's declaration may
 * be {@code String} in a class that inherits it. Immutable.
 */
public final class MemberTypes {
  private final Class<?> raw;
  private final Map<TypeVariable<?>, Type> known = new HashMap<>();

  private MemberTypes(Type type) {
    collect(type);
    this.raw = erased(type);
  }

  /** Creates the resolver for a class, possibly with type arguments. */
  public static MemberTypes of(Type type) {
    return new MemberTypes(type);
  }

  /** The class itself. */
  public Class<?> raw() {
    return raw;
  }

  List<Class<?>> parameters(Method method) {
    return Arrays.stream(method.getGenericParameterTypes()).<Class<?>>map(this::erased).toList();
  }

  Class<?> returned(Method method) {
    return erased(method.getGenericReturnType());
  }

  private void collect(Type type) {
    if (type instanceof ParameterizedType generic) {
      Class<?> declared = (Class<?>) generic.getRawType();
      TypeVariable<?>[] variables = declared.getTypeParameters();
      for (int i = 0; i < variables.length; i++) {
        known.put(variables[i], generic.getActualTypeArguments()[i]);
      }
      collect(declared);
    } else if (type instanceof Class<?> declared) {
      if (declared.getGenericSuperclass() != null) {
        collect(declared.getGenericSuperclass());
      }
      for (Type each : declared.getGenericInterfaces()) {
        collect(each);
      }
    }
  }

  private Class<?> erased(Type type) {
    if (type instanceof Class<?> plain) {
      return plain;
    }
    if (type instanceof ParameterizedType generic) {
      return (Class<?>) generic.getRawType();
    }
    if (type instanceof TypeVariable<?> variable) {
      Type argument = known.get(variable);
      return erased(argument == null ? variable.getBounds()[0] : argument);
    }
    if (type instanceof WildcardType any) {
      return erased(any.getUpperBounds()[0]);
    }
    if (type instanceof GenericArrayType array) {
      return erased(array.getGenericComponentType()).arrayType();
    }
    return Object.class; // there is no other kind of type
  }
}
