package dev.leasehold.examples;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** Reads a {@code pom.xml} as written: without its parent, and without resolving properties. */
public final class Pom {
  private Pom() {}

  /** The root element of the pom in a folder. */
  public static Element of(Path folder) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(folder.resolve("pom.xml").toFile())
        .getDocumentElement();
  }

  /** The text of the first child of that name; empty if there is none. */
  public static String text(Element owner, String name) {
    return children(owner, name).stream()
        .findFirst()
        .map(e -> e.getTextContent().strip())
        .orElse("");
  }

  /** The children of that name. */
  public static List<Element> children(Element owner, String name) {
    List<Element> found = new ArrayList<>();
    for (Node child = owner.getFirstChild(); child != null; child = child.getNextSibling()) {
      if (child instanceof Element element && element.getTagName().equals(name)) {
        found.add(element);
      }
    }
    return found;
  }

  /** All elements of that name, however deep. */
  public static List<Element> all(Element owner, String name) {
    NodeList found = owner.getElementsByTagName(name);
    return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i)).toList();
  }
}
