import type { CSSProperties } from 'react'
import { words } from '../../data/words.ts'
import type { View } from '../../parts/bracket/cell.tsx'
import { type Part, sheetsOf } from '../../parts/bracket/layout.ts'
import { measuresOf, PartDrawing } from '../../parts/bracket/part.tsx'
import tree from '../../parts/bracket/tree.module.css'
import styles from './sheets.module.css'

/** The drawing of a bracket on paper. It exists only while the page is printed. (W21) */
export function Sheets({ parts, view }: { readonly parts: readonly Part[]; readonly view: View }) {
  const sheets = sheetsOf(parts)
  return (
    <div className={styles.sheets}>
      {sheets.map((sheet, at) => (
        <div key={sheet.key} className={styles.sheet}>
          {sheets.length > 1 && (
            <p className={styles.number}>{words('print.sheet', { number: at + 1, all: sheets.length })}</p>
          )}
          <div
            className={`${tree.tree} ${styles.tree} ${sheet.parts.some(({ rounds }) => rounds.length > 8) ? styles.narrow : ''}`}
            style={measuresOf(sheet.parts, 1) as CSSProperties}
          >
            {sheet.parts.map((part) => (
              <PartDrawing key={part.key} part={part} parts={parts} view={view} prefix={`sheet-${at}-`} />
            ))}
          </div>
        </div>
      ))}
    </div>
  )
}
