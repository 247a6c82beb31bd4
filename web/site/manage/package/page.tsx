import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { TournamentWithParts } from '../../../../client/generated.ts'
import { requestFile } from '../../data/api.ts'
import { usePages } from '../../data/queries.ts'
import { useTournament } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Failure, Loaded } from '../../parts/loaded.tsx'
import { sizeOf } from '../../parts/numbers.ts'
import { saveFile } from '../../parts/save-file.ts'
import { Section } from '../../parts/section.tsx'
import { Downloads, Taken, takenAddress } from './taken.tsx'

/** The tournament as one signed file, and who has taken it so far. (P1) */

export function ManagePackage() {
  const read = useTournament()
  return (
    <div className="page wide stack">
      <Loaded of={read} rows={8}>
        {(tournament) => <Of tournament={tournament} />}
      </Loaded>
    </div>
  )
}

function Of({ tournament }: { readonly tournament: TournamentWithParts }) {
  const pages = usePages(takenAddress(tournament.guid))
  return (
    <>
      <div className="title">
        <div>
          <h1 data-title={`${words('manage.package')} · ${tournament.name}`}>{words('manage.package')}</h1>
          <p>{words('package.intro')}</p>
        </div>
      </div>
      <Take tournament={tournament} then={() => void pages.refetch()} />
      <Section title={words('package.taken')}>
        <Taken of={pages} />
        <Downloads of={pages.data?.pages[0]?.downloads ?? []} />
      </Section>
    </>
  )
}

type State = { readonly name: string; readonly bytes: number } | Error | 'making' | null

interface TakeProps {
  readonly tournament: TournamentWithParts
  readonly then: () => void
}

const variants = ['public', 'full', 'anonymised'] as const

function Take({ tournament: { guid, id, status }, then }: TakeProps) {
  const [variant, setVariant] = useState<(typeof variants)[number]>('full')
  const [isPrivate, setPrivate] = useState(false)
  const [isWithoutMedia, setWithoutMedia] = useState(false)
  const [state, setState] = useState<State>(null)
  const make = async () => {
    setState('making')
    try {
      const include = isPrivate && variant === 'full' ? { include: 'private' } : {}
      const media = isWithoutMedia ? { media: 'none' } : {}
      const query = new URLSearchParams({ variant, ...include, ...media })
      const file = await requestFile(`/tournaments/${guid}/package?${query}`)
      // A file without names does not name the tournament either.
      const name = variant === 'anonymised' ? 'anonymised.zip' : `${id}-${variant}.zip`
      saveFile(name, file)
      setState({ name, bytes: file.size })
      then()
    } catch (error) {
      setState(error as Error)
    }
  }
  const isMaking = state === 'making'
  return (
    <Section title={words('package.take')}>
      <form
        className="prose"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isMaking) void make()
        }}
      >
        <fieldset>
          <legend className="strong">{words('package.variant')}</legend>
          {variants.map((each) => (
            <div key={each}>
              <label className="choice">
                <input
                  type="radio"
                  name="variant"
                  checked={variant === each}
                  disabled={each === 'public' && status === 'draft'}
                  onChange={() => setVariant(each)}
                />
                {words(`package.variant-${each}`)}
              </label>
              <p className="small muted">
                {words(each === 'public' && status === 'draft' ? 'package.in-draft' : `package.for-${each}`)}
              </p>
            </div>
          ))}
        </fieldset>
        {variant === 'full' && (
          <Choice
            label={words('package.private')}
            hint={words('package.private-hint')}
            value={isPrivate}
            set={setPrivate}
          />
        )}
        <Choice
          label={words('package.no-media')}
          hint={words('package.no-media-hint')}
          value={isWithoutMedia}
          set={setWithoutMedia}
        />
        <div className="btns">
          <button type="submit" className="btn btn-primary" aria-disabled={isMaking}>
            {words('package.make')}
          </button>
          <span role="status">
            {isMaking && <span className="muted">{words('package.making')}</span>}
            {state !== null && state !== 'making' && !(state instanceof Error) && (
              <>
                {words('package.saved', { name: state.name, size: sizeOf(state.bytes) })}{' '}
                <Link to="/packages">{words('package.check')}</Link>
              </>
            )}
          </span>
        </div>
      </form>
      {state instanceof Error && <Failure error={state} again={() => void make()} />}
    </Section>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly hint: string
  readonly value: boolean
  readonly set: (value: boolean) => void
}

function Choice({ label, hint, value, set }: ChoiceProps) {
  return (
    <div>
      <label className="choice">
        <input type="checkbox" checked={value} onChange={({ target }) => set(target.checked)} />
        {label}
      </label>
      <p className="small muted">{hint}</p>
    </div>
  )
}
