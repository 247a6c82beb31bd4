import { useState } from 'react'
import { address } from '../../../data/api.ts'
import { useRead } from '../../../data/queries.ts'
import { useMay } from '../../../data/tournament.ts'
import { words } from '../../../data/words.ts'
import { useWrite } from '../../../data/writes.ts'
import { Section } from '../../../parts/section.tsx'
import { Instant } from '../../../parts/time.tsx'
import matchStyles from '../match.module.css'
import { type Corrected, correctionOf } from '../rulings.ts'
import type { View } from '../view.ts'
import { Previewed, useLook } from './previewed.tsx'

/** The corrections of the result, each with its undo. */
export function Corrections({ view }: { readonly view: View }) {
  const { match, tournament, zone } = view
  const at = address('/tournaments/{tournament}/matches/{match}/corrections', { tournament, match: match.guid })
  const corrections = useRead(at, { live: true }).data?.corrections ?? []
  if (corrections.length === 0) return null
  return (
    <Section title={words('cockpit.corrections')}>
      <ul className="lines">
        {corrections.map((each) => (
          <li key={each.guid}>
            <div>
              <p className={each.undoneAt === null ? '' : matchStyles.struck}>{correctionOf(each)}</p>
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
