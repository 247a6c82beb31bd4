import type { Caller, Harness } from './harness.ts'

export const calendarAddress = (query: Record<string, string>) => `/calendar?${new URLSearchParams(query)}`

/** Creates so many listed tournaments without dates that the listing has many pages. */
export async function fillListing(api: Harness, organiser: Caller): Promise<void> {
  await api.sql(
    `with made as (
       insert into tournaments (id, name, status, team_size_min, team_size_max, team_size_active, links, organiser_guid)
       select 'crowd-' || n, 'Undated crowd', 'completed', 1, 1, 1, '{}', $1 from generate_series(1, 1001) n returning guid),
     counted as (insert into tournament_counts (tournament_guid) select guid from made)
     insert into listings (platform_guid, tournament_guid, status, sort_at)
     select p.guid, m.guid, 'completed', 'epoch' from made m, platforms p where p.is_system`,
    [organiser.guid],
  )
}
