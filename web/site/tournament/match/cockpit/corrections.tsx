import { type ReactNode, useState } from 'react'
import type { CorrectionEntry } from '../../../../../client/generated.ts'
import { address } from '../../../data/api.ts'
import { useRead, useRenewal } from '../../../data/queries.ts'
import { useMay } from '../../../data/tournament.ts'
import { words } from '../../../data/words.ts'
import { useWrite } from '../../../data/writes.ts'
import { Section } from '../../../parts/section.tsx'
import { Instant } from '../../../parts/time.tsx'
import matchStyles from '../match.module.css'
import { ownName } from '../people.ts'
import { type Corrected, correctionOf } from '../rulings.ts'
import type { View } from '../view.ts'
import styles from './cockpit.module.css'
import { Previewed, useLook } from './previewed.tsx'

interface Props {
  readonly view: View
  /** What can be done to the result. */
  readonly children?: ReactNode
}

/** The corrections of the result, each with its undo and, for the staff, with its reason. */
export function Corrections({ view, children }: Props) {
  const may = useMay()
  const { match, tournament, zone } = view
  const at = address('/tournaments/{tournament}/matches/{match}/corrections', { tournament, match: match.guid })
  const corrections = useRead(at, { live: true }).data?.corrections ?? []
  const reasonsAt = address('/tournaments/{tournament}/corrections', { tournament }, { match: match.guid })
  const reasons = useRead(reasonsAt, { enabled: corrections.length > 0 && may('corrections.list') }).data?.corrections
  useRenewal(reasonsAt, corrections.map(({ guid }) => guid).join())
  if (corrections.length === 0 && children === undefined) return null
  return (
    <Section
      title={words('cockpit.correct-title')}
      beside={children !== undefined && <div className="btns">{children}</div>}
    >
      <ul className="lines">
        {corrections.map((each) => (
          <li key={each.guid} className={styles.entry}>
            <div>
              <p className={each.undoneAt === null ? '' : matchStyles.struck}>{correctionOf(each)}</p>
              <Reason of={reasons?.find(({ guid }) => guid === each.guid)} />
              <p className="small muted">
                <Instant at={each.createdAt} zone={zone} />
                {each.undoneAt !== null && (
                  <>
                    , {words('play.taken-back')} <Instant at={each.undoneAt} zone={zone} />
                  </>
                )}
              </p>
            </div>
            {each.undoneAt === null && <Undo view={view} correction={each} />}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Reason({ of }: { readonly of: CorrectionEntry | undefined }) {
  if (of === undefined) return null
  const { actor, reason } = of
  return (
    <p>
      {actor !== null && <bdi className="strong">{ownName(actor)}</bdi>}
      {actor !== null && reason !== null && ': '}
      <bdi>{reason}</bdi>
    </p>
  )
}

function Undo({ view: { match, tournament }, correction }: { readonly view: View; readonly correction: Corrected }) {
  const may = useMay()
  const [isOpen, setOpen] = useState(false)
  const look = useLook('POST /tournaments/{tournament}/corrections/{correction}/undo')
  const undo = useWrite('POST /tournaments/{tournament}/corrections/{correction}/undo', (known) =>
    known.renew(`/tournaments/${tournament}/matches/${match.guid}`),
  )
  const params = { tournament, correction: correction.guid }
  if (!may('corrections.undo')) return null
  return (
    <>
      <button type="button" className="btn" onClick={() => setOpen(true)}>
        {words('cockpit.undo-correction')}…
      </button>
      {isOpen && (
        <Previewed
          title={words('cockpit.undo-correction')}
          error={undo.error ?? look.error}
          isSending={undo.isSending || look.isSending}
          of={correction.guid}
          look={() => look.look({ params, query: { dryRun: true } })}
          apply={() => undo.send({ params })}
          close={() => setOpen(false)}
        >
          <p>{words('cockpit.undo-text')}</p>
        </Previewed>
      )}
    </>
  )
}
