-- What a rehearsal was made of: the tournament as it was, or a package. `strongest`: its teams that the qualifier or their
-- ranks told apart then, the strongest first.
alter table rehearsals
  add column source text default 'now' not null,
  add column strongest uuid[] default '{}' not null;
--> statement-breakpoint
alter table rehearsals add constraint rehearsals_source_known check (source in ('now', 'package'));
