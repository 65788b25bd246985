package dev.leasehold.spring.boot;

import dev.leasehold.methods.spi.LockedScan;
import dev.leasehold.methods.spi.MemberTypes;
import dev.leasehold.methods.spi.MethodLock;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Registers, for a native image, the classes scanned for {@link dev.leasehold.methods.Locked}
 * methods at startup, and the getters called by lock names.
 */
final class LockedBeansAot implements BeanRegistrationAotProcessor {

  LockedBeansAot() {}

  @Override
  public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
    Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
    LockedBeans.Spring spring =
        new LockedBeans.Spring(bean.getBeanFactory().getBean(Environment.class));
    LockedScan scan = LockedBeans.scan(type, spring);
    if (scan.isEmpty()) {
      return null;
    }
    List<Method> accessors = new ArrayList<>();
    for (Method method : scan.methods()) {
      MethodLock.of(MemberTypes.of(type), method, spring, new ArrayList<>())
          .ifPresent(checked -> accessors.addAll(checked.accessors()));
    }
    return (generation, code) -> {
      ReflectionHints hints = generation.getRuntimeHints().reflection();
      for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
        hints.registerType(c, MemberCategory.INTROSPECT_DECLARED_METHODS);
      }
      for (Class<?> each : ClassUtils.getAllInterfacesForClass(type)) {
        hints.registerType(each, MemberCategory.INTROSPECT_DECLARED_METHODS);
      }
      accessors.forEach(accessor -> hints.registerMethod(accessor, ExecutableMode.INVOKE));
    };
  }
}
