package dev.leasehold.benchmarks;

import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws the points of a measurement's output as SVG, for light and dark pages. */
public final class Pictures {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 360;

  /** Pixels between ticks, so that each power of two up to 256 has one. */
  private static final int NEAR = 40;

  /** Distinguishable for the colour-blind, and on both backgrounds (Okabe and Ito). */
  private static final List<Color> COLORS =
      List.of(new Color(0x0072B2), new Color(0xD55E00), new Color(0x009E73), new Color(0xCC79A7));

  private enum Ground {
    LIGHT(Color.WHITE, new Color(0x24292F), new Color(0xD0D7DE)),
    DARK(new Color(0x0D1117), new Color(0xC9D1D9), new Color(0x30363D));

    final Color back;
    final Color text;
    final Color grid;

    Ground(Color back, Color text, Color grid) {
      this.back = back;
      this.text = text;
      this.grid = grid;
    }
  }

  private Pictures() {}

  /** Reads the output of {@link Benchmarks} from the first file, and draws into the folder. */
  public static void main(String[] args) throws IOException {
    draw(Files.readAllLines(Path.of(args[0])), Path.of(args[1]));
  }

  static List<Path> draw(List<String> printed, Path folder) throws IOException {
    List<Path> drawn = new ArrayList<>();
    Files.createDirectories(folder);
    for (Picture picture : Picture.values()) {
      Map<String, List<double[]>> series = points(picture, printed);
      if (series.isEmpty()) {
        continue;
      }
      for (Ground ground : Ground.values()) {
        String name = (picture + "-" + ground).toLowerCase(Locale.ROOT);
        Path file = folder.resolve(name);
        VectorGraphicsEncoder.saveVectorGraphic(
            chart(picture, series, ground), file.toString(), VectorGraphicsFormat.SVG);
        drawn.add(folder.resolve(name + ".svg"));
      }
    }
    return drawn;
  }

  /** The points by series, from lines of {@link Figures#point}. */
  private static Map<String, List<double[]>> points(Picture picture, List<String> printed) {
    Map<String, List<double[]>> series = new LinkedHashMap<>();
    for (String line : printed) {
      String[] words = line.split(" ");
      if (words.length == 5 && words[0].equals("point") && words[1].equals(picture.name())) {
        series
            .computeIfAbsent(words[2], name -> new ArrayList<>())
            .add(new double[] {Double.parseDouble(words[3]), Double.parseDouble(words[4])});
      }
    }
    return series;
  }

  private static XYChart chart(Picture picture, Map<String, List<double[]>> series, Ground ground) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(picture.title)
            .xAxisTitle(picture.across)
            .yAxisTitle(picture.up)
            .build();
    chart
        .getStyler()
        .setLegendPosition(LegendPosition.OutsideE)
        .setChartBackgroundColor(ground.back)
        .setChartFontColor(ground.text)
        .setLegendBackgroundColor(ground.back)
        .setLegendBorderColor(ground.back)
        .setPlotBackgroundColor(ground.back);
    chart
        .getStyler()
        .setPlotGridLinesColor(ground.grid)
        .setPlotGridLinesStroke(new BasicStroke(0.5f)) // dashes would be a path each
        .setXAxisDecimalPattern("#,##0")
        .setYAxisDecimalPattern(picture.isLogarithmic() ? "#,##0.#" : "")
        .setAxisTickLabelsColor(ground.text)
        .setXAxisLogarithmic(picture.isLogarithmic() && !picture.isDoubling())
        .setYAxisLogarithmic(picture.isLogarithmic());
    if (!picture.isLogarithmic()) {
      chart.getStyler().setYAxisMin(0.0);
    }
    if (picture.isDoubling()) {
      chart.setCustomXAxisTickLabelsFormatter(Pictures::powerOfTwo);
      chart.getStyler().setXAxisTickMarkSpacingHint(NEAR);
    }
    int next = 0;
    for (Map.Entry<String, List<double[]>> each : series.entrySet()) {
      XYSeries line =
          chart.addSeries(
              each.getKey(),
              each.getValue().stream()
                  .mapToDouble(point -> picture.isDoubling() ? log2(point[0]) : point[0])
                  .toArray(),
              each.getValue().stream()
                  .mapToDouble(
                      point -> picture.isLogarithmic() ? Math.max(0.1, point[1]) : point[1])
                  .toArray());
      line.setLineColor(COLORS.get(next++));
      line.setMarker(picture == Picture.LATENCY ? SeriesMarkers.NONE : SeriesMarkers.CIRCLE);
      line.setMarkerColor(line.getLineColor());
    }
    return chart;
  }

  private static double log2(double value) {
    return Math.log(value) / Math.log(2);
  }

  /** The label of a tick; none between two powers, or below one. */
  private static String powerOfTwo(double exponent) {
    return exponent >= 0 && exponent == Math.rint(exponent)
        ? Long.toString(1L << (int) exponent)
        : "";
  }
}
