import type { Measured } from './load.ts'

export interface Row {
  readonly work: string
  readonly baseline: string
  readonly figures: string
  readonly result: string
  readonly bound: string
  /** null for figures that are only told. */
  readonly holds: boolean | null
}

/** Ours per second ÷ the baseline's per second, which must be at least `bound`. */
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

/** A figure that must stay below `bound`. */
export function below(work: string, baseline: string, value: number, bound: number, unit: string, figures = ''): Row {
  return {
    work,
    baseline,
    figures,
    result: `${value.toFixed(unit === '' ? 2 : 0)}${unit}`,
    bound: `≤ ${bound}${unit}`,
    holds: value <= bound,
  }
}

export function table(rows: readonly Row[]): string {
  const lines = rows.map(
    (row) =>
      `| ${row.work} | ${row.baseline} | ${row.figures} | ${row.result} | ${row.bound} | ${row.holds === null ? '' : row.holds ? 'yes' : '**no**'} |`,
  )
  return ['| work | baseline | measured | result | bound | holds |', '|---|---|---|---|---|---|', ...lines].join('\n')
}
