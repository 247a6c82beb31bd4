import type { ReactNode } from 'react'
import { words } from '../data/words.ts'
import styles from './table.module.css'

interface Props {
  readonly label: string
  readonly head: readonly string[]
  /** The key of each row, its head, and its cells; numbers are set at the end of theirs. */
  readonly rows: readonly (readonly [key: string, head: ReactNode, ...cells: readonly ReactNode[]])[]
}

/** A table that scrolls inside of the page where it is too wide. */
export function Table({ label, head, rows }: Props) {
  const isNumber = head.map((_, column) => rows.length > 0 && rows.every((row) => typeof row[column + 1] === 'number'))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys
    <section className="wide-content" tabIndex={0} aria-label={words('admin.table', { name: label })}>
      <table className={`table ${styles.table}`}>
        <thead>
          <tr>
            {head.map((title, column) => (
              <th key={title} scope="col" className={isNumber[column] ? 'n' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([key, first, ...cells]) => (
            <tr key={key}>
              <th scope="row">{first}</th>
              {cells.map((cell, at) => (
                <td key={head[at + 1]} className={isNumber[at + 1] ? 'n' : undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
