import { collectDefaultMetrics, Histogram, Gauge as PrometheusGauge, Registry } from 'prom-client'

/** The metrics for Prometheus. */
export interface Metrics {
  request(operation: string, status: number, seconds: number): void
  /** A gauge that is read at each scrape; NaN when reading fails. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  /** A gauge with several values, one for each value of `label`. */
  gauges(name: string, help: string, label: string, read: () => Promise<ReadonlyMap<string, number>>): void
  text(): Promise<string>
  readonly contentType: string
}

let watching: Registry | undefined

/**
 * The metrics of the process, made once however many services run in it: they observe the event loop and the garbage
 * collector, and cannot be stopped.
 */
function ofProcess(): Registry {
  if (watching !== undefined) return watching
  watching = new Registry()
  collectDefaultMetrics({ register: watching })
  return watching
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  const process = ofProcess()
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
      new PrometheusGauge({
        name,
        help,
        registers: [registry],
        async collect() {
          this.set(
            await Promise.resolve()
              .then(read)
              .catch(() => Number.NaN),
          )
        },
      })
    },
    gauges(name, help, label, read) {
      new PrometheusGauge({
        name,
        help,
        labelNames: [label],
        registers: [registry],
        async collect() {
          this.reset()
          for (const [value, number] of await read().catch(() => [])) this.set({ [label]: value }, number)
        },
      })
    },
    text: () => Registry.merge([process, registry]).metrics(),
    contentType: registry.contentType,
  }
}
