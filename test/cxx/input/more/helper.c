/* The names of these files are those of others, too: each is of its process alone. */
static int factor = 2;

int class(int value)
{
    return value * factor;
}

int helper(int value)
{
    return class(value);
}
