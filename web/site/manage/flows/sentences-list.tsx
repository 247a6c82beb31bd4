import styles from './flows.module.css'
import { isStep, numberOf, type Part, type Path } from './model.ts'
import { blockText, sentenceOf } from './sentences.ts'

/** A flow as it is read: its steps as sentences. */
export function Sentences({ parts, path = [] }: { readonly parts: readonly Part[]; readonly path?: Path }) {
  return (
    <ol className={styles.read}>
      {parts.map((part, index) => {
        const number = numberOf([...path, index])
        return (
          <li key={number}>
            <span className={styles.number}>{number}</span>
            <div>
              {isStep(part) ? (
                sentenceOf(part)
              ) : (
                <>
                  {blockText(part)}
                  <Sentences parts={part.steps} path={[...path, index]} />
                </>
              )}
            </div>
          </li>
        )
      })}
    </ol>
  )
}
