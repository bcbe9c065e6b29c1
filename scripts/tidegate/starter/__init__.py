"""What a dbt project needs to use Tidegate, written into it: `tidegate init`."""
