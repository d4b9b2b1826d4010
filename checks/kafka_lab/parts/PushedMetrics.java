import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricsReporter;
import org.apache.kafka.server.telemetry.ClientTelemetryContext;
import org.apache.kafka.server.telemetry.ClientTelemetryExporter;
import org.apache.kafka.server.telemetry.ClientTelemetryExporterProvider;
import org.apache.kafka.server.telemetry.ClientTelemetryPayload;
import org.apache.kafka.shaded.io.opentelemetry.proto.metrics.v1.Metric;
import org.apache.kafka.shaded.io.opentelemetry.proto.metrics.v1.MetricsData;
import org.apache.kafka.shaded.io.opentelemetry.proto.metrics.v1.NumberDataPoint;

/**
 * Takes what clients push (KIP-714), and shows what each of them pushed last as a page for Prometheus. Only numbers
 * that are of a client as a whole are shown: those of its topics, partitions and nodes have attributes of their own.
 */
public class PushedMetrics implements MetricsReporter, ClientTelemetryExporterProvider, ClientTelemetryExporter {
    private final Map<Uuid, String> pages = new ConcurrentHashMap<>();
    private HttpServer server;

    @Override
    public void configure(Map<String, ?> settings) {
        try {
            int port = Integer.parseInt(String.valueOf(settings.get("pushed.metrics.port")));
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (java.io.IOException error) {
            throw new java.io.UncheckedIOException(error);
        }
        server.createContext("/metrics", exchange -> {
            byte[] page = String.join("", pages.values()).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
            exchange.sendResponseHeaders(200, page.length == 0 ? -1 : page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        server.start();
    }

    @Override
    public ClientTelemetryExporter clientTelemetryExporter() {
        return this;
    }

    @Override
    public void exportMetrics(ClientTelemetryContext context, ClientTelemetryPayload payload) {
        if (payload.isTerminating()) {
            pages.remove(payload.clientInstanceId());
            return;
        }
        String client = context.authorizableRequestContext().clientId();
        StringBuilder page = new StringBuilder();
        try {
            MetricsData.parseFrom(payload.data().duplicate()).getResourceMetricsList().forEach(resource ->
                resource.getScopeMetricsList().forEach(scope ->
                    scope.getMetricsList().forEach(metric -> write(page, client, metric))));
        } catch (java.io.IOException error) {
            throw new java.io.UncheckedIOException(error);
        }
        pages.put(payload.clientInstanceId(), page.toString());
    }

    private static void write(StringBuilder page, String client, Metric metric) {
        List<NumberDataPoint> points =
            metric.hasGauge() ? metric.getGauge().getDataPointsList() : metric.getSum().getDataPointsList();
        for (NumberDataPoint point : points) {
            boolean whole = point.getAttributesList().stream().allMatch(one -> one.getKey().equals("client_id"));
            if (whole) {
                page.append(metric.getName().replace('.', '_')).append("{client_id=\"").append(client).append("\"} ")
                    .append(point.hasAsDouble() ? point.getAsDouble() : (double) point.getAsInt()).append('\n');
            }
        }
    }

    @Override
    public void init(List<KafkaMetric> metrics) {
    }

    @Override
    public void metricChange(KafkaMetric metric) {
    }

    @Override
    public void metricRemoval(KafkaMetric metric) {
    }

    @Override
    public void close() {
        if (server != null) {
            server.stop(0);
        }
    }
}
