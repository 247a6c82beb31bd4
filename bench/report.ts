import type { Measured } from './load.ts'

export interface Row {
  readonly work: string
  readonly baseline: string
  readonly figures: string
  readonly result: string
  readonly bound: string
  /** Null for figures without a bound. */
  readonly holds: boolean | null
}

/** Our rate ÷ the baseline's rate, which must be at least `bound`. */
export function ratio(work: string, baseline: string, { ours, baseline: theirs }: Measured, bound: number | null): Row {
  const value = ours / theirs
  return {
    work,
    baseline,
    figures: `${Math.round(ours)}/s against ${Math.round(theirs)}/s`,
    result: value.toFixed(2),
    bound: bound === null ? '' : `≥ ${bound}`,
    holds: bound === null ? null : value >= bound,
  }
}

/** A figure that must be at most `bound`. */
export function below(work: string, baseline: string, value: number, bound: number, unit: string, figures = ''): Row {
  return {
    work,
    baseline,
    figures,
    result: `${value.toFixed(unit === '' && value < 10 ? 2 : unit === ' s' ? 1 : 0)}${unit}`,
    bound: `≤ ${bound}${unit}`,
    holds: value <= bound,
  }
}

/** A figure that must be at least `bound`. */
export function atLeast(work: string, value: number, bound: number): Row {
  const result = String(Math.round(value))
  return { work, baseline: '', figures: '', result, bound: `≥ ${bound}`, holds: value >= bound }
}

/** A figure without a bound. */
export function told(work: string, baseline: string, result: string, figures = ''): Row {
  return { work, baseline, figures, result, bound: '', holds: null }
}

export function table(rows: readonly Row[]): string {
  return [
    '| work | baseline | measured | result | bound | holds |',
    '|---|---|---|---|---|---|',
    ...rows.map(tableLine),
  ].join('\n')
}

export function tableLine(row: Row): string {
  const holds = row.holds === null ? '' : row.holds ? 'yes' : '**no**'
  return `| ${row.work} | ${row.baseline} | ${row.figures} | ${row.result} | ${row.bound} | ${holds} |`
}
