import { useId, useState } from 'react'
import type { AwardCategory, Awards, Nominee } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { useWrite } from '../data/writes.ts'
import { say } from '../parts/announcer.tsx'
import { Failure, Loaded } from '../parts/loaded.tsx'
import styles from './awards.module.css'
import { NomineeLine } from './nominee.tsx'

/** A ballot: one nominee of each category, each category saved by itself. None is chosen before the reader chooses. */

const votesAddress = (edition: string) => address('/awards/{edition}/votes/@me', { edition })

/** Who can be voted for in a category now; null where voting is closed. */
export function openFor({ status, runoff }: Awards, { guid, nominees, runoff: tied }: AwardCategory) {
  if (status !== 'voting') return null
  if (runoff === null) return nominees
  if (!runoff.categories.includes(guid)) return null
  return nominees?.filter((nominee) => tied?.includes(nominee.guid)) ?? null
}

export function Ballot({
  edition,
  category,
  nominees,
}: {
  readonly edition: string
  readonly category: AwardCategory
  readonly nominees: readonly Nominee[]
}) {
  const votes = useRead(votesAddress(edition))
  return (
    <Loaded of={votes} rows={nominees.length}>
      {(own) => {
        const vote = own.votes.find(({ categoryGuid }) => categoryGuid === category.guid)
        return (
          <Choice
            edition={edition}
            category={category}
            nominees={nominees}
            cast={vote?.nomineeGuid ?? null}
            isVoid={vote?.isVoid ?? false}
          />
        )
      }}
    </Loaded>
  )
}

interface ChoiceProps {
  readonly edition: string
  readonly category: AwardCategory
  readonly nominees: readonly Nominee[]
  /** The nominees that the reader has voted for. */
  readonly cast: string | null
  readonly isVoid: boolean
}

function Choice({ edition, category, nominees, cast, isVoid }: ChoiceProps) {
  const name = useId()
  const [chosen, choose] = useState(cast)
  const [told, tell] = useState('')
  const done = (text: string) => {
    tell(text)
    say(text)
  }
  const put = useWrite('PUT /awards/{edition}/categories/{category}/vote', (known, vote) =>
    known.change(votesAddress(edition), ({ votes }) => ({
      votes: [
        ...votes.filter(({ categoryGuid }) => categoryGuid !== vote.categoryGuid),
        { categoryGuid: vote.categoryGuid, nomineeGuid: vote.nomineeGuid, castAt: vote.castAt, isVoid: false },
      ],
    })),
  )
  const take = useWrite('DELETE /awards/{edition}/categories/{category}/vote', (known) =>
    known.change(votesAddress(edition), ({ votes }) => ({
      votes: votes.filter(({ categoryGuid }) => categoryGuid !== category.guid),
    })),
  )
  const params = { edition, category: category.guid }
  const labelOf = (guid: string | null) => nominees.find((each) => each.guid === guid)?.label ?? ''
  const send = async () => {
    if (chosen === null) return
    take.reset()
    if (!(await put.send({ params, body: { nomineeGuid: chosen } }))) return
    const values = { before: labelOf(cast), now: labelOf(chosen) }
    done(words(cast === null || cast === chosen ? 'ballot.cast' : 'ballot.changed', values))
  }
  const takeBack = async () => {
    put.reset()
    if (!(await take.send({ params }))) return
    choose(null)
    done(words('ballot.taken'))
  }
  const error = put.error ?? take.error
  const isSending = put.isSending || take.isSending
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      {isVoid && <p className="notice notice-warning">{words('ballot.void')}</p>}
      <fieldset>
        <legend className="unseen">{words('ballot.for', { category: category.name })}</legend>
        <ul className="lines">
          {nominees.map((nominee) => (
            <NomineeLine
              key={nominee.guid}
              nominee={nominee}
              choice={
                <input
                  type="radio"
                  name={name}
                  aria-label={nominee.label}
                  checked={chosen === nominee.guid}
                  disabled={nominee.declined}
                  onChange={() => choose(nominee.guid)}
                />
              }
            />
          ))}
        </ul>
      </fieldset>
      <div className={`btns ${styles.acts}`}>
        <button
          type="submit"
          className="btn"
          aria-disabled={chosen === null || isSending || (chosen === cast && !isVoid)}
        >
          {words(cast === null ? 'ballot.vote' : 'ballot.change')}
          <span className="unseen"> {category.name}</span>
        </button>
        {cast !== null && (
          <button type="button" className="btn btn-quiet" aria-disabled={isSending} onClick={() => void takeBack()}>
            {words('ballot.take')}
            <span className="unseen"> {category.name}</span>
          </button>
        )}
        <span className="muted">{told || (cast !== null && words('ballot.yours', { now: labelOf(cast) }))}</span>
      </div>
      {error && <Failure error={error} again={() => void (put.error ? send() : takeBack())} isTrying={isSending} />}
    </form>
  )
}

/** In how many categories the reader has voted. */
export function Progress({ edition, of }: { readonly edition: string; readonly of: readonly AwardCategory[] }) {
  const votes = useRead(votesAddress(edition)).data?.votes ?? []
  const guids = new Set(of.map(({ guid }) => guid))
  const count = votes.filter(({ categoryGuid, isVoid }) => guids.has(categoryGuid) && !isVoid).length
  return <p className="strong">{words('ballot.progress', { count, all: of.length })}</p>
}
