import { Link, useParams } from '@tanstack/react-router'
import type { Awards } from '../../../../client/generated.ts'
import { FaultOf } from '../../chrome/faults.tsx'
import { useRead } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { EditionState } from '../../parts/edition-state.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { Categories } from './categories.tsx'
import { Count } from './count.tsx'
import { EditionForm } from './edition-form.tsx'
import { editionAddress, hasReached, isMerging, route } from './editions.ts'
import { Nominations } from './nominations.tsx'
import { Steps } from './steps.tsx'
import { Voters } from './voters.tsx'

/** An edition of the awards from its draft to its published results: a part of the page for each work. */
export function AdminEdition() {
  const { edition } = useParams({ from: '/admin/awards/$edition' })
  const read = useRead(editionAddress(edition), { live: true })
  if (read.data === undefined && read.error !== null)
    return <FaultOf error={read.error} again={() => void read.refetch()} />
  return (
    <div className="page wide stack">
      <Loaded of={read} rows={10} hasTitle>
        {(awards) => <Whole awards={awards} />}
      </Loaded>
    </div>
  )
}

const parts = ['steps', 'categories', 'nominations', 'voters', 'count', 'settings'] as const
type Part = (typeof parts)[number]

function Whole({ awards }: { readonly awards: Awards }) {
  const { id, title, status } = awards
  const { part } = route.useSearch()
  const hasPart: Readonly<Record<Part, boolean>> = {
    steps: true,
    categories: true,
    nominations: isMerging(status),
    voters: hasReached(status, 'voting'),
    count: hasReached(status, 'counting'),
    settings: status !== 'cancelled',
  }
  const shown = parts.filter((each) => hasPart[each])
  const open = shown.find((each) => each === part) ?? 'steps'
  return (
    <>
      <div>
        <div className="title">
          <div>
            <h1>
              <bdi>{title}</bdi>
            </h1>
            <p>
              <EditionState status={status} />
            </p>
          </div>
          <Link to="/awards/$edition" params={{ edition: id }} className="btn">
            {words('admin-awards.public')}
          </Link>
        </div>
        <nav className="choices" aria-label={words('admin-awards.parts')}>
          {shown.map((each) => (
            <Link
              key={each}
              to="/admin/awards/$edition"
              params={{ edition: id }}
              search={each === 'steps' ? {} : { part: each }}
              className="btn"
              aria-current={each === open ? 'page' : undefined}
              activeOptions={{ exact: true, includeSearch: true }}
              resetScroll={false}
            >
              {words(`admin-awards.part-${each}`)}
            </Link>
          ))}
        </nav>
      </div>
      {open === 'steps' && <Steps awards={awards} />}
      {open === 'categories' && <Categories awards={awards} />}
      {open === 'nominations' && <Nominations awards={awards} />}
      {open === 'voters' && <Voters awards={awards} />}
      {open === 'count' && <Count awards={awards} />}
      {open === 'settings' && (
        <Section title={words('admin-awards.part-settings')}>
          <EditionForm awards={awards} />
        </Section>
      )}
    </>
  )
}
