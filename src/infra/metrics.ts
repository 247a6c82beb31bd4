import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What the service tells Prometheus. */
export interface Metrics {
  request(operation: string, status: number, seconds: number): void
  /** A value that is read when somebody looks. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  text(): Promise<string>
  readonly contentType: string
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request’s arrival to the end of its answer.',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  return {
    request: (operation, status, seconds) => requests.observe({ operation, status: String(status) }, seconds),
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          this.set(await read())
        },
      })
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
