import { collectDefaultMetrics, Histogram, Gauge as PrometheusGauge, Registry } from 'prom-client'
import type { Db } from './db/database.ts'

/** What the service tells Prometheus. */
export interface Metrics {
  request(operation: string, status: number, seconds: number): void
  /** A value that is read when somebody looks; one that cannot be read then is not a number. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  /** The same for several values, each under what `label` says of it. */
  gauges(name: string, help: string, label: string, read: () => Promise<ReadonlyMap<string, number>>): void
  text(): Promise<string>
  readonly contentType: string
}

/** A value that the database tells. */
export interface Gauge {
  readonly name: string
  readonly help: string
  readonly read: (db: Db) => Promise<number>
}

let watching: Registry | undefined

/**
 * What tells of the process itself, made once in it however many services it has: it watches the event loop and the
 * garbage collector, and nothing can stop it.
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
