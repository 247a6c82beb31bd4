CREATE TABLE "command_results" (
	"user_guid" uuid NOT NULL,
	"key" text NOT NULL,
	"digest" "bytea" NOT NULL,
	"status" smallint,
	"headers" json,
	"body" "bytea",
	"problem" json,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "command_results_user_guid_key_pk" PRIMARY KEY("user_guid","key"),
	CONSTRAINT "command_results_one" CHECK ("command_results"."status" is null or "command_results"."problem" is null)
);
--> statement-breakpoint
CREATE INDEX "command_results_created" ON "command_results" USING btree ("created_at");